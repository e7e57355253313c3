# title: The residual stream grows with depth, and 1/σ falls
# alt: From the embedding to the last block the root mean square of the residual
#   stream grows from {{ladder.kjv-layernorm.points.embed.rms|%.2f}} to {{ladder.kjv-layernorm.points.b3_mlp.rms|%.2f}}, {{ladder.kjv-layernorm.growth|%.1f}}-fold; the factor 1/σ of
#   a norm falls from {{ladder.kjv-layernorm.points.embed.inv_sigma|%.2f}} to {{ladder.kjv-layernorm.points.b3_mlp.inv_sigma|%.2f}}, {{ladder.kjv-layernorm.attenuation|%.1f}}-fold.
# ledger: strict
# literal: 1/σ | the reciprocal
# literal: block 1 | counts the blocks
# literal: block 2 | counts the blocks
# literal: block 3 | counts the blocks
# literal: block 4 | counts the blocks
set terminal svg size 600,380 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# depth, name, rms, 1/sigma
$ladder << EOD
{{#ladder.kjv-layernorm.points}}
0 "" {{embed.rms}} {{embed.inv_sigma}}
1 "attn" {{b0_attn.rms}} {{b0_attn.inv_sigma}}
2 "MLP" {{b0_mlp.rms}} {{b0_mlp.inv_sigma}}
3 "attn" {{b1_attn.rms}} {{b1_attn.inv_sigma}}
4 "MLP" {{b1_mlp.rms}} {{b1_mlp.inv_sigma}}
5 "attn" {{b2_attn.rms}} {{b2_attn.inv_sigma}}
6 "MLP" {{b2_mlp.rms}} {{b2_mlp.inv_sigma}}
7 "attn" {{b3_attn.rms}} {{b3_attn.inv_sigma}}
8 "MLP" {{b3_mlp.rms}} {{b3_mlp.inv_sigma}}
{{/ladder.kjv-layernorm.points}}
EOD

set lmargin at screen 0.105
set rmargin at screen 0.875
set tmargin at screen 0.95
set bmargin at screen 0.19
set border 11
set xrange [-0.5:8.5]
set yrange [0:4.5]
set y2range [0:1.35]
set xtics scale 0
set ytics 1 textcolor rgb blue
set y2tics 0.3 textcolor rgb orange
set format y "%.0f"
set format y2 "%.1f"
set ylabel "rms of the residual stream" tc rgb blue offset 0.5,0
set y2label "1/σ" tc rgb orange offset -0.5,0

set label "embedding" at 0, graph -0.17 center
set label "block 1" at 1.5, graph -0.17 center
set label "block 2" at 3.5, graph -0.17 center
set label "block 3" at 5.5, graph -0.17 center
set label "block 4" at 7.5, graph -0.17 center
do for [i=1:4] {
  set arrow from 2*i-1.4, graph -0.115 to 2*i+0.4, graph -0.115 nohead lc black lw 0.8
}
set label "{{ladder.kjv-layernorm.points.embed.rms|%.2f}}" at 0, {{ladder.kjv-layernorm.points.embed.rms}} center offset 0,-0.9 tc rgb blue
set label "{{ladder.kjv-layernorm.points.b3_mlp.rms|%.2f}} (× {{ladder.kjv-layernorm.growth|%.1f}})" at 8, {{ladder.kjv-layernorm.points.b3_mlp.rms}} right offset 0.8,1 tc rgb blue
set label "{{ladder.kjv-layernorm.points.embed.inv_sigma|%.2f}}" at first 0, second {{ladder.kjv-layernorm.points.embed.inv_sigma}} center offset 0,0.9 tc rgb orange
set label "{{ladder.kjv-layernorm.points.b3_mlp.inv_sigma|%.2f}} (÷ {{ladder.kjv-layernorm.attenuation|%.1f}})" at first 8, second {{ladder.kjv-layernorm.points.b3_mlp.inv_sigma}} right offset 0.8,-1 tc rgb orange

plot $ladder using 1:4:xtic(2) axes x1y2 with linespoints pt 4 ps 0.9 lw 1.5 dt (8,5) lc rgb orange, \
  '' using 1:3 with linespoints pt 7 ps 0.8 lw 1.6 lc rgb blue
