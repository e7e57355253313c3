# title: The spectrum of a final norm's output, and the direction read from its gain
# alt: Two panels of eigenvalues on a logarithmic axis. LayerNorm: {{jacobian.d}} less one
#   values between {{dead.kjv-layernorm.float64.eig_next|sci.0}} and {{dead.kjv-layernorm.float64.eig_max|%.0f}} after training, and one, along the direction
#   read from the gain, at {{dead.kjv-layernorm.float64.eig_along_u|sci.0}} in double and {{dead.kjv-layernorm.float32.eig_along_u|sci.0}} in single precision.
#   RMSNorm: all {{jacobian.d}} values between {{dead.kjv-rmsnorm.float64.eig_smallest|sci.0}} and {{dead.kjv-rmsnorm.float64.eig_max|%.0f}}; along the direction
#   read the same way the variance is {{dead.kjv-rmsnorm.float64.eig_along_u|%.2f}}. Untrained networks look alike.
# ledger: strict
# literal: float64 | name of a number format | not residual_minimum.*
# literal: float32 | name of a number format
set terminal svg size 600,400 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

$layer << EOD
{{#dead.kjv-layernorm.spectrum}}
{{.}}
{{/dead.kjv-layernorm.spectrum}}
EOD
$layer_initial << EOD
{{#dead.kjv-layernorm.initial.spectrum}}
{{.}}
{{/dead.kjv-layernorm.initial.spectrum}}
EOD
$rms << EOD
{{#dead.kjv-rmsnorm.spectrum}}
{{.}}
{{/dead.kjv-rmsnorm.spectrum}}
EOD
$rms_initial << EOD
{{#dead.kjv-rmsnorm.initial.spectrum}}
{{.}}
{{/dead.kjv-rmsnorm.initial.spectrum}}
EOD
# along u: trained, untrained
$layer_u << EOD
{{dead.kjv-layernorm.float64.eig_along_u}} {{dead.kjv-layernorm.initial.float64.eig_along_u}}
{{dead.kjv-layernorm.float32.eig_along_u}} {{dead.kjv-layernorm.initial.float32.eig_along_u}}
EOD
$rms_u << EOD
{{dead.kjv-rmsnorm.float64.eig_along_u}} {{dead.kjv-rmsnorm.initial.float64.eig_along_u}}
EOD
d = {{jacobian.d}}
# The last value of a spectrum with a kernel is the rounding of the algorithm;
# the direction's own variance is measured by projection instead.
living = d - 1

set multiplot
set tmargin at screen 0.91
set bmargin at screen 0.17
set logscale y
set xrange [-4:142]
set yrange [1e-34:1e5]
set format y "10^{%T}"
set ytics 1e-30,1e10
set mytics 1
set xtics (1, 32, 64, 96, 128)
set xlabel "index of the eigenvalue"

set lmargin at screen 0.13
set rmargin at screen 0.555
set label 1 "{/:Bold LayerNorm}" at graph 0.5, screen 0.95 center
set label 2 "trained" at 36, 1 offset 0,1.3 tc rgb blue
set label 3 "untrained" at 106, 1e-2 right offset 0,-0.9 tc rgb grey
set label 4 "along {/:Italic u}, float32" at 116, {{dead.kjv-layernorm.float32.eig_along_u}} right tc rgb blue
set label 5 "along {/:Italic u}, float64" at 116, {{dead.kjv-layernorm.float64.eig_along_u}} right tc rgb blue
set ylabel "variance of {/:Italic y} along the eigenvector" offset 1.5,0
plot $layer_initial using ($0 < living ? $0+1 : NaN):1 with points pt 6 ps 0.3 lc rgb grey, \
  $layer using ($0 < living ? $0+1 : NaN):1 with points pt 7 ps 0.35 lc rgb blue, \
  $layer_u using (d):2 with points pt 4 ps 1.1 lw 1.2 lc rgb grey, \
  '' using (d):1 with points pt 5 ps 0.7 lc rgb blue

set lmargin at screen 0.585
set rmargin at screen 0.985
set label 1 "{/:Bold RMSNorm}" at graph 0.5, screen 0.95 center
set label 2 "trained" at 36, 1 offset 0,1.3 tc rgb orange
set label 3 "untrained" at 106, 1e-2 right offset 0,-0.9 tc rgb grey
unset label 4
set label 5 "along such a {/:Italic u}" at 141, 1e-8 right tc rgb orange
set arrow from 134, 3e-7 to 134, 1e-2 nohead lc rgb orange lw 0.8
set format y ""
unset ylabel
plot $rms_initial using ($0+1):1 with points pt 6 ps 0.3 lc rgb grey, \
  $rms using ($0+1):1 with points pt 7 ps 0.35 lc rgb orange, \
  $rms_u using (d+6):2 with points pt 4 ps 1.1 lw 1.2 lc rgb grey, \
  '' using (d+6):1 with points pt 5 ps 0.7 lc rgb orange
unset multiplot
