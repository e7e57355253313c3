# title: When in training the ladder appears
# alt: One over σ at five depths against the training step. All start close together. In
#   the first {{training_ladder.kjv-layernorm.every}} steps the deeper ones fall, the deepest from {{training_ladder.kjv-layernorm.rows.0.b3_mlp|%.2f}} to {{training_ladder.kjv-layernorm.rows.1.b3_mlp|%.2f}} and on to
#   {{training_ladder.kjv-layernorm.lowest_end.inv_sigma|%.2f}} at step {{training_ladder.kjv-layernorm.lowest_end.step}}. The embedding's rises from {{training_ladder.kjv-layernorm.rows.0.embed|%.2f}} to {{training_ladder.kjv-layernorm.rows.30.embed|%.2f}} through the whole run, and
#   after the learning rate's peak all rise together.
# ledger: strict
# literal: 1/σ | the reciprocal
# literal: block 1 | counts the blocks
# literal: block 2 | counts the blocks
# literal: block 3 | counts the blocks
# literal: block 4 | counts the blocks
set terminal svg size 600,380 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# step, 1/sigma at the embedding and after each block
$ladder << EOD
{{#training_ladder.kjv-layernorm.rows}}
{{step}} {{embed}} {{b0_mlp}} {{b1_mlp}} {{b2_mlp}} {{b3_mlp}}
{{/training_ladder.kjv-layernorm.rows}}
EOD

set lmargin at screen 0.12
set rmargin at screen 0.84
set tmargin at screen 0.95
set bmargin at screen 0.17
set xrange [0:{{training_ladder.kjv-layernorm.steps}}]
set yrange [0.2:1.5]
set logscale y
set xtics 500
set ytics (0.2, 0.3, 0.5, 0.7, 1, 1.5)
set format y "%.1f"
set xlabel "training step" offset 0,0.3
set ylabel "1/σ" offset 1,0

set arrow from {{training_ladder.kjv-layernorm.warm_up_steps}}, graph 0 to {{training_ladder.kjv-layernorm.warm_up_steps}}, graph 1 nohead lc rgb grey lw 0.8 dt (2,4)
set label "peak of the" at {{training_ladder.kjv-layernorm.warm_up_steps}}, graph 0.955 left offset 0.6,0 tc rgb grey
set label "learning rate" at {{training_ladder.kjv-layernorm.warm_up_steps}}, graph 0.895 left offset 0.6,0 tc rgb grey

{{#training_ladder.kjv-layernorm}}
set label "embedding" at {{steps}}, {{rows.30.embed}} left offset 0.8,0 tc rgb orange
set label "block 1" at {{steps}}, {{rows.30.b0_mlp}} left offset 0.8,0
set label "block 2" at {{steps}}, {{rows.30.b1_mlp}} left offset 0.8,0.2
set label "block 3" at {{steps}}, {{rows.30.b2_mlp}} left offset 0.8,-0.2
set label "block 4" at {{steps}}, {{rows.30.b3_mlp}} left offset 0.8,0 tc rgb blue
{{/training_ladder.kjv-layernorm}}

plot $ladder using 1:2 with lines lw 1.8 dt (8,5) lc rgb orange, \
  '' using 1:3 with lines lw 1 dt (5,3) lc black, \
  '' using 1:4 with lines lw 1 dt (3,2) lc black, \
  '' using 1:5 with lines lw 1 dt (1.5,2) lc black, \
  '' using 1:6 with linespoints pt 7 ps 0.5 lw 1.8 lc rgb blue
