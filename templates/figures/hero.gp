# title: Two dead directions, and what varies instead
# alt: Three panels. The Jacobian of a LayerNorm has {{jacobian.rank}} equal singular values
#   and two zeros. Inside a block the attention branch has rank {{block_rank.kjv-layernorm.branch_rank}} at a
#   tolerance of {{block_rank.kjv-layernorm.tolerance|sci.0}}, the block with its skip connection rank {{block_rank.kjv-layernorm.block_rank}}. The
#   factor 1/σ falls {{ladder.kjv-layernorm.attenuation|%.1f}}-fold from the embedding to the last block.
# ledger: strict
# literal: 1/σ | the reciprocal
# literal: 2 zeros | the directions that the norm deletes by its definition
set terminal svg size 960,340 enhanced font "TeX Gyre Pagella,16"
{{> style.gp-partial}}

$branch << EOD
{{#block_rank.kjv-layernorm.branch_spectrum}}
{{.}}
{{/block_rank.kjv-layernorm.branch_spectrum}}
EOD
$block << EOD
{{#block_rank.kjv-layernorm.block_spectrum}}
{{.}}
{{/block_rank.kjv-layernorm.block_spectrum}}
EOD
$ladder << EOD
{{#ladder.kjv-layernorm.points}}
{{embed.inv_sigma}}
{{b0_attn.inv_sigma}}
{{b0_mlp.inv_sigma}}
{{b1_attn.inv_sigma}}
{{b1_mlp.inv_sigma}}
{{b2_attn.inv_sigma}}
{{b2_mlp.inv_sigma}}
{{b3_attn.inv_sigma}}
{{b3_mlp.inv_sigma}}
{{/ladder.kjv-layernorm.points}}
EOD
rank = {{jacobian.rank}}
d = {{jacobian.d}}
largest = {{jacobian.largest}}
branch_largest = {{block_rank.kjv-layernorm.branch_largest}}
block_largest = {{block_rank.kjv-layernorm.block_largest}}
tolerance = {{block_rank.kjv-layernorm.tolerance}}

set multiplot
set tmargin at screen 0.80
set bmargin at screen 0.25

# One panel a statement.
set lmargin at screen 0.055
set rmargin at screen 0.31
set label 1 "{/:Bold The norm deletes two directions}" at screen 0.015, screen 0.92 left
set label 2 "{{jacobian.rank}} equal to 1/σ" at 64, largest center offset 0,0.9 tc rgb blue
set label 3 "2 zeros" at 122, 0 right offset 0,0.6 tc rgb orange
set xrange [-3:134]
set yrange [-0.04:0.7]
set xtics (1, 64, 128)
set ytics ("0" 0, "1/σ" largest)
set xlabel "singular values of its Jacobian"
plot $branch using ($0 < rank ? $0+1 : NaN):(largest) with points pt 7 ps 0.35 lc rgb blue, \
  '' using ($0 < rank ? NaN : $0+1):(0) with points pt 5 ps 0.6 lc rgb orange

set lmargin at screen 0.40
set rmargin at screen 0.645
set label 1 "{/:Bold The skip connection restores them}" at screen 0.345, screen 0.92 left
set label 2 "block, rank {{block_rank.kjv-layernorm.block_rank}}" at 64, 1 center offset 0,0.4 tc rgb orange
set label 3 "branch, rank {{block_rank.kjv-layernorm.branch_rank}}" at 40, {{block_rank.kjv-layernorm.branch_spectrum.39}}/branch_largest center offset -0.5,-1.3 tc rgb blue
set logscale y
set yrange [1e-12:30]
set format y "10^{%T}"
set ytics 1e-12,1e3
set mytics 1
set xlabel "singular values of the first block"
set arrow 1 from graph 0, first tolerance to graph 1, first tolerance nohead lc rgb grey lw 1 dt (6,4)
set label 4 "tolerance {{block_rank.kjv-layernorm.tolerance|sci.0}}" at 4, tolerance left offset 0,-0.6 tc rgb grey
plot $block using ($0+1):($1/block_largest) with points pt 6 ps 0.35 lc rgb orange, \
  $branch using ($0+1):($1/branch_largest) with points pt 7 ps 0.35 lc rgb blue

set lmargin at screen 0.73
set rmargin at screen 0.985
unset label 4
unset arrow 1
unset logscale y
set label 1 "{/:Bold What varies is the factor 1/σ}" at screen 0.69, screen 0.92 left
set label 2 "{{ladder.kjv-layernorm.points.embed.inv_sigma|%.2f}}" at 0, {{ladder.kjv-layernorm.points.embed.inv_sigma}} left offset 0.8,0.3 tc rgb blue
set label 3 "{{ladder.kjv-layernorm.points.b3_mlp.inv_sigma|%.2f}} (÷ {{ladder.kjv-layernorm.attenuation|%.1f}})" at 8, {{ladder.kjv-layernorm.points.b3_mlp.inv_sigma}} right offset 0.7,-0.9 tc rgb blue
set xrange [-0.5:8.5]
set yrange [0:1.3]
set format y "%.1f"
set ytics 0,0.4
set xtics ("0" 0, "1" 2, "2" 4, "3" 6, "4" 8)
set xlabel "blocks passed"
plot $ladder using 0:1 with linespoints pt 7 ps 0.8 lw 1.5 lc rgb blue
unset multiplot
