# title: The branch’s singular values fall without a gap
# alt: The {{jacobian.d}} singular values of the first block’s attention branch on a
#   logarithmic axis, relative to the largest. They fall smoothly over many
#   decades, so the rank is what the tolerance makes it:
{{#block_rank.kjv-layernorm.ranks}}
#   {{branch}} at {{tolerance|sci.0}},
{{/block_rank.kjv-layernorm.ranks}}
#   while the whole block’s values stay between {{block_rank.kjv-layernorm.block_smallest|%.2f}} and {{block_rank.kjv-layernorm.block_largest|%.2f}}.
# ledger: strict
set terminal svg size 600,430 enhanced font "TeX Gyre Pagella,14"
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
# tolerance, rank
$ranks << EOD
{{#block_rank.kjv-layernorm.ranks}}
{{tolerance}} {{branch}}
{{/block_rank.kjv-layernorm.ranks}}
EOD
branch_largest = {{block_rank.kjv-layernorm.branch_largest}}
tolerance = {{block_rank.kjv-layernorm.tolerance}}
block_largest = {{block_rank.kjv-layernorm.block_largest}}

set lmargin at screen 0.125
set rmargin at screen 0.955
set tmargin at screen 0.96
set bmargin at screen 0.16
set logscale y
set xrange [0:130]
set yrange [1e-19:10]
set format y "10^{%T}"
set ytics 1e-18,1000
set mytics 1
set xtics (1, 20, 40, 60, 80, 100, 128)
set xlabel "index of the singular value"
set ylabel "singular value / the largest" offset 0.5,0

set label "the whole block, rank {{block_rank.kjv-layernorm.block_rank}}" at 60, 0.5 left offset 0,0.9 tc rgb orange
set label "its attention branch" at 45, {{block_rank.kjv-layernorm.branch_spectrum.44}}/branch_largest left offset 0.3,0.8 tc rgb blue
set label "tolerance" at 2, 1e-4 left offset 0,1 tc rgb grey

plot $ranks using (31):1:($2-31):(0) with vectors nohead lc rgb grey lw 0.8, \
  '' using (31):($1 == tolerance ? $1 : NaN):($2-31):(0) with vectors nohead lc black lw 1.6, \
  '' using (2):1:(gprintf("10^{%T}", $1)) with labels left tc rgb grey, \
  '' using (29.5):1:(sprintf("rank %d", $2)) with labels right, \
  $block using ($0+1):($1/block_largest) with points pt 6 ps 0.35 lc rgb orange, \
  $branch using ($0+1):($1/branch_largest) with points pt 7 ps 0.35 lc rgb blue
