# title: Scaling the final hidden state of two models that differ in epsilon
# alt: Size of the change of loss against the scale of the final hidden state,
#   measured from the loss at epsilon 0, both axes logarithmic, for two models.
#   Both fall along the line that one backward pass predicts, the model of
#   small epsilon through {{rescaling.kjv-layernorm.whole.measured|sci.1}} at its own scale and the model of large epsilon
#   through {{rescaling.kjv-large-eps.whole.measured|sci.1}}. Towards small scales both leave their line, the one
#   near a scale of {{rescaling.kjv-layernorm.tenth_off.scale|%.3f}} and the other near {{rescaling.kjv-large-eps.tenth_off.scale|%.2f}}, dip where the change passes
#   through zero, and rise to the loss of a model that ignores its state.
# ledger: strict
# literal: ε = 10^{−5} | names a model by its recipe
# literal: ε = 10^{−1} | names a model by its recipe
# literal: ε = 0 | the limit that is compared with
# literal: epsilon 0 | the limit that is compared with
set terminal svg size 600,430 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# eps over variance, loss less the loss at eps = 0
$small << EOD
{{#scale_law.kjv-layernorm.rows}}
{{eps_over_var}} {{delta}}
{{/scale_law.kjv-layernorm.rows}}
EOD
$large << EOD
{{#scale_law.kjv-large-eps.rows}}
{{eps_over_var}} {{delta}}
{{/scale_law.kjv-large-eps.rows}}
EOD
# The ratio of the state as it is; the ratio falls with the square of the scale.
small_own = {{rescaling.kjv-layernorm.eps_over_var}}
large_own = {{rescaling.kjv-large-eps.eps_over_var}}
small_slope = {{rescaling.kjv-layernorm.slope}}
large_slope = {{rescaling.kjv-large-eps.slope}}
scale(own, ratio) = sqrt(own/ratio)
small_line(s) = abs(small_slope)*small_own/s**2
large_line(s) = abs(large_slope)*large_own/s**2
rise(change) = change > 0 ? change : NaN
fall(change) = change < 0 ? -change : NaN

set lmargin at screen 0.125
set rmargin at screen 0.97
set tmargin at screen 0.96
set bmargin at screen 0.16
set logscale xy
set xrange [5e-5:2e3]
set yrange [1e-10:30]
set format "10^{%T}"
set xtics 1e-4,10
set ytics 1e-10,100
set mxtics 1
set mytics 1
set xlabel "scale of the final hidden state"
set ylabel "size of the change of loss" offset 1.2,0

# Where the variance of the scaled state is epsilon.
small_even = sqrt(small_own)
large_even = sqrt(large_own)
set arrow from small_even, graph 0 to small_even, graph 0.13 nohead lc rgb blue lw 1 dt (3,3)
set arrow from large_even, graph 0 to large_even, graph 0.13 nohead lc rgb orange lw 1 dt (3,3)
set label "variance = ε" at small_even, graph 0.16 center tc rgb blue
set label "variance = ε" at large_even, graph 0.16 center tc rgb orange

set arrow from 1, graph 0 to 1, graph 0.76 nohead lc rgb grey lw 1 dt (8,5)
set label "the state as it is" at 1, graph 0.79 center tc rgb grey
set label "{{rescaling.kjv-layernorm.whole.measured|sci.1}}" at 1, small_line(1) left offset 0.9,0.7 tc rgb blue
set label "{{rescaling.kjv-large-eps.whole.measured|sci.1}}" at 1, large_line(1) left offset 0.9,0.7 tc rgb orange
set label "predicted from\none backward pass" at 2.5e-2, small_line(2.5e-2) right offset -1.2,-0.2

set label "ε = 10^{−5}" at graph 0.565, graph 0.97 center tc rgb blue
set label "ε = 10^{−1}" at graph 0.705, graph 0.97 center tc rgb orange
set label "" at graph 0.565, graph 0.91 point pt 7 ps 0.9 lc rgb blue
set label "" at graph 0.705, graph 0.905 point pt 9 ps 1.3 lc rgb orange
set label "higher than at ε = 0" at graph 0.755, graph 0.91
set label "" at graph 0.565, graph 0.85 point pt 6 ps 0.9 lw 1.3 lc rgb blue
set label "" at graph 0.705, graph 0.845 point pt 8 ps 1.3 lw 1.3 lc rgb orange
set label "lower than at ε = 0" at graph 0.755, graph 0.85

plot sample [6e-4:1e1] small_line(x) with lines lc black lw 0.8, \
  [6e-2:1e3] large_line(x) with lines lc black lw 0.8, \
  $small using (scale(small_own, $1)):(fall($2)) with points pt 6 ps 0.6 lw 1.2 lc rgb blue, \
  '' using (scale(small_own, $1)):(rise($2)) with points pt 7 ps 0.6 lc rgb blue, \
  $large using (scale(large_own, $1)):(fall($2)) with points pt 8 ps 0.9 lw 1.2 lc rgb orange, \
  '' using (scale(large_own, $1)):(rise($2)) with points pt 9 ps 0.9 lc rgb orange
