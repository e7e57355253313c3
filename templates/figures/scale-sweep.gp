# title: How much the loss changes when the final hidden state is scaled
# alt: Size of the change of loss against eps over the variance of the scaled
#   state, both axes logarithmic, in float64 and float32. The points follow a
#   line of slope {{scale_sweep.kjv-layernorm.float64.slope|%.2f}} with no threshold at ratio 1. Measured from
#   the loss at epsilon 0, the change is a straight line down to the smallest
#   ratio, and it passes through zero near a ratio of {{scale_law.kjv-layernorm.sign_change|%.2f}}.
# ledger: strict
# literal: float64 | name of a number format
# literal: float32 | name of a number format
# literal: ratio 1 | where the two are equal
# literal: epsilon 0 | the limit that is compared with
# literal: ε = 0 | the limit that is compared with
set terminal svg size 600,430 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# scale, eps over variance, change of loss
$wide << EOD
{{#scale_sweep.kjv-layernorm.float64.rows}}
{{scale}} {{eps_over_var}} {{delta}}
{{/scale_sweep.kjv-layernorm.float64.rows}}
EOD
$narrow << EOD
{{#scale_sweep.kjv-layernorm.float32.rows}}
{{scale}} {{eps_over_var}} {{delta}}
{{/scale_sweep.kjv-layernorm.float32.rows}}
EOD
# eps over variance, loss less the loss at eps = 0
$law << EOD
{{#scale_law.kjv-layernorm.rows}}
{{eps_over_var}} {{delta}}
{{/scale_law.kjv-layernorm.rows}}
EOD
step = {{scale_sweep.kjv-layernorm.float32.ulp}}
slope = {{scale_sweep.kjv-layernorm.float64.slope}}
constant = {{scale_sweep.kjv-layernorm.float64.constant}}
fit(r) = constant * r**slope

# The reference, scale 1, is no change of its own; a change of exactly 0 lies
# on the bottom of the plot.
bottom = 1e-9
rise(scale, change) = scale != 1 && change > 0 ? change : NaN
fall(scale, change) = scale != 1 && change < 0 ? -change : NaN
none(scale, change) = scale != 1 && change == 0 ? bottom : NaN
unchanged = 0
{{#scale_sweep.kjv-layernorm.float32.rows}}
unchanged = unchanged + ({{scale}} != 1 && {{delta}} == 0)
{{/scale_sweep.kjv-layernorm.float32.rows}}

set lmargin at screen 0.125
set rmargin at screen 0.97
set tmargin at screen 0.96
set bmargin at screen 0.16
set logscale xy
set xrange [1e-13:1e3]
set yrange [bottom:30]
set format "10^{%T}"
set xtics 1e-12,100
set ytics 1e-9,100
set mxtics 1
set mytics 1
set xlabel "ε / variance of the scaled state"
set ylabel "size of the change of loss" offset 1.2,0

set arrow from 1, graph 0 to 1, graph 0.9 nohead lc rgb grey lw 1 dt (8,5)
set label "variance = ε" at 1, graph 0.94 center tc rgb grey
set arrow from graph 0, first step to graph 1, first step nohead lc rgb grey lw 1.1 dt (3,4)
set label "one float32 step, {{scale_sweep.kjv-layernorm.float32.ulp|sci.1}}" at 0.5, step right offset 0,-0.65 tc rgb grey
set label "{{scale_sweep.kjv-layernorm.float64.constant|%.3f}} (ε/variance)^{ {{scale_sweep.kjv-layernorm.float64.slope|%.2f}}}" at 1e-3, fit(1e-3) right offset -1.6,0.5

set label "from the loss at ε = 0" at 4e-7, 4e-9 tc rgb blue

set label "float64" at graph 0.075, graph 0.96 center tc rgb blue
set label "float32" at graph 0.185, graph 0.96 center tc rgb orange
set label "" at graph 0.075, graph 0.90 point pt 7 ps 0.9 lc rgb blue
set label "" at graph 0.185, graph 0.895 point pt 9 ps 1.5 lc rgb orange
set label "the loss rises" at graph 0.25, graph 0.90
set label "" at graph 0.075, graph 0.84 point pt 6 ps 0.9 lw 1.5 lc rgb blue
set label "" at graph 0.185, graph 0.835 point pt 8 ps 1.5 lw 1.5 lc rgb orange
set label "the loss falls" at graph 0.25, graph 0.84
if (unchanged > 0) {
  set label "" at graph 0.185, graph 0.785 point pt 10 ps 1.5 lw 1.5 lc rgb orange
  set label "no change at all" at graph 0.25, graph 0.78
}

plot sample [1e-5:10] fit(x) with lines lc black lw 1, \
  $law using 1:(abs($2)) with lines lc rgb blue lw 1.2 dt (3,3), \
  $narrow using 2:(rise($1, $3)) with points pt 9 ps 1.5 lc rgb orange, \
  '' using 2:(fall($1, $3)) with points pt 8 ps 1.5 lw 1.5 lc rgb orange, \
  '' using 2:(none($1, $3)) with points pt 10 ps 1.5 lw 1.5 lc rgb orange, \
  $wide using 2:(rise($1, $3)) with points pt 7 ps 0.9 lc rgb blue, \
  '' using 2:(fall($1, $3)) with points pt 6 ps 0.9 lw 1.5 lc rgb blue
