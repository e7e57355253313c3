# title: The smallest singular value of the residual stream grows with depth
# alt: The smallest singular value of the matrix of positions by features at
#   each depth point. At the embedding it is zero. After the first attention it
#   is {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b0_attn.smallest|%.1f}} in the trained model with LayerNorm and {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b0_attn.smallest|%.1f}} in an untrained
#   one, and it rises at every point, to {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b3_mlp.smallest|%.1f}} and {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b3_mlp.smallest|%.1f}}. The model with
#   RMSNorm behaves alike.
# ledger: strict
# literal: block 1 | counts the blocks
# literal: block 2 | counts the blocks
# literal: block 3 | counts the blocks
# literal: block 4 | counts the blocks
set terminal svg size 600,380 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# depth, name, LayerNorm trained and untrained, RMSNorm trained and untrained
$points << EOD
1 "attn" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b0_attn.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b0_attn.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b0_attn.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b0_attn.smallest}}
2 "MLP" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b0_mlp.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b0_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b0_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b0_mlp.smallest}}
3 "attn" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b1_attn.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b1_attn.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b1_attn.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b1_attn.smallest}}
4 "MLP" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b1_mlp.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b1_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b1_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b1_mlp.smallest}}
5 "attn" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b2_attn.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b2_attn.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b2_attn.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b2_attn.smallest}}
6 "MLP" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b2_mlp.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b2_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b2_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b2_mlp.smallest}}
7 "attn" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b3_attn.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b3_attn.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b3_attn.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b3_attn.smallest}}
8 "MLP" {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b3_mlp.smallest}} {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b3_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.trained.float64.uncentred.points.b3_mlp.smallest}} {{residual_minimum.kjv-rmsnorm.initial.float64.uncentred.points.b3_mlp.smallest}}
EOD
last = {{residual_minimum.kjv-layernorm.trained.float64.uncentred.points.b3_mlp.smallest}}
last_initial = {{residual_minimum.kjv-layernorm.initial.float64.uncentred.points.b3_mlp.smallest}}

set lmargin at screen 0.105
set rmargin at screen 0.875
set tmargin at screen 0.95
set bmargin at screen 0.19
set xrange [-0.9:8.5]
set yrange [0:55]
set xtics scale 0
set ytics 10
set ylabel "smallest singular value" offset 0.8,0
set label "embedding" at -0.15, graph -0.17 center
set label "block 1" at 1.5, graph -0.17 center
set label "block 2" at 3.5, graph -0.17 center
set label "block 3" at 5.5, graph -0.17 center
set label "block 4" at 7.5, graph -0.17 center
do for [i=1:4] {
  set arrow from 2*i-1.4, graph -0.115 to 2*i+0.4, graph -0.115 nohead lc black lw 0.8
}
set label "rank {{residual_minimum.kjv-layernorm.trained.float64.uncentred.embedding.rank}}" at 0, 0 center offset 0,0.9
set label "LayerNorm" at 5.2, 34 left tc rgb blue
set label "RMSNorm" at 4.6, 43 right tc rgb orange
set label "trained" at 8, last left offset 1.2,0
set label "untrained" at 8, last_initial left offset 1.2,0

# At the embedding the value is 0 in exact arithmetic.
plot $points using 1:5:xtic(2) with linespoints pt 9 ps 1.1 lw 1.2 lc rgb orange, \
  '' using 1:6 with linespoints pt 8 ps 1.1 lw 1.2 dt (8,5) lc rgb orange, \
  '' using 1:3 with linespoints pt 7 ps 0.8 lw 1.6 lc rgb blue, \
  '' using 1:4 with linespoints pt 6 ps 0.8 lw 1.2 dt (8,5) lc rgb blue, \
  '+' using (0):(0) every 1000 with points pt 7 ps 0.8 lc rgb blue
