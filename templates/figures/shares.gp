# title: Share of each gradient that its norm deletes
# alt: Median, 90th percentile and largest share of the gradient in the deleted
#   plane, for nine norms. The medians lie between
#   {{gradient_share.kjv-layernorm.all.g.smallest_median|%.3f}} and
#   {{gradient_share.kjv-layernorm.all.g.largest_median|%.3f}}, near the
#   {{random_plane.median|%.3f}} of a random direction. The largest share is
#   {{gradient_share.kjv-layernorm.lnf.max|%.2f}}, at the final norm; the largest of
#   {{random_plane.draws|%,d}} random directions is {{random_plane.max|%.2f}}.
# ledger: strict
# literal: 90th | a percentile, part of the study’s definition
# literal: block 1, | counts the blocks
# literal: block 2, | counts the blocks
# literal: block 3, | counts the blocks
# literal: block 4, | counts the blocks
set terminal svg size 600,420 enhanced font "TeX Gyre Pagella,14"
{{> style.gp-partial}}

# norm, median, 90th percentile, largest
$shares << EOD
{{#gradient_share.kjv-layernorm}}
"block 1, before attention" {{b0.ln1.median}} {{b0.ln1.p90}} {{b0.ln1.max}}
"before MLP" {{b0.ln2.median}} {{b0.ln2.p90}} {{b0.ln2.max}}
"block 2, before attention" {{b1.ln1.median}} {{b1.ln1.p90}} {{b1.ln1.max}}
"before MLP" {{b1.ln2.median}} {{b1.ln2.p90}} {{b1.ln2.max}}
"block 3, before attention" {{b2.ln1.median}} {{b2.ln1.p90}} {{b2.ln1.max}}
"before MLP" {{b2.ln2.median}} {{b2.ln2.p90}} {{b2.ln2.max}}
"block 4, before attention" {{b3.ln1.median}} {{b3.ln1.p90}} {{b3.ln1.max}}
"before MLP" {{b3.ln2.median}} {{b3.ln2.p90}} {{b3.ln2.max}}
"final norm" {{lnf.median}} {{lnf.p90}} {{lnf.max}}
{{/gradient_share.kjv-layernorm}}
EOD
random_median = {{random_plane.median}}
random_p90 = {{random_plane.p90}}
random_max = {{random_plane.max}}

set lmargin at screen 0.285
set rmargin at screen 0.955
set tmargin at screen 0.875
set bmargin at screen 0.16
set xrange [0:0.9]
set yrange [9.0:-0.6]
set format x "%.1f"
set xtics 0.1
set ytics scale 0
set border 1
set xlabel "share of the gradient’s length in the deleted plane"

# Widths differ a little: gnuplot would join lines of one width and colour,
# whatever their dashes.
set arrow from random_median, 8.3 to random_median, graph 1.01 nohead lc rgb grey lw 1
set arrow from random_p90, 8.3 to random_p90, graph 1.065 nohead lc rgb grey lw 1.1 dt (8,5)
set arrow from random_max, 8.3 to random_max, graph 1.01 nohead lc rgb grey lw 1.2 dt (3,4)
set label "random direction:" at screen 0.012, graph 1.045 left tc rgb grey
set label "median {{random_plane.median|%.3f}}" at random_median, graph 1.045 right offset 0.6,0 tc rgb grey
set label "90th percentile {{random_plane.p90|%.2f}}" at random_p90, graph 1.105 left offset -0.6,0 tc rgb grey
set label "largest {{random_plane.max|%.2f}}" at random_max, graph 1.045 left offset -0.6,0 tc rgb grey

{{#gradient_share.kjv-layernorm.lnf}}
set label "median" at {{median}}, 8.62 center tc rgb blue
set label "90th percentile" at {{p90}}, 8.62 center tc rgb blue
set label "largest" at {{max}}, 8.62 center tc rgb orange
{{/gradient_share.kjv-layernorm.lnf}}

# A number never lies on the line of the largest random share.
label_at(x) = x < random_max && x > random_max - 0.09 ? random_max - 0.01 : x

plot $shares using 2:0:($3-$2):(0) with vectors nohead lc rgb blue lw 3, \
  '' using 3:0:($4-$3-0.014):(0) with vectors nohead lc rgb blue lw 1, \
  '' using 3:0:(0):(0.22) with vectors nohead lc rgb blue lw 2, \
  '' using 3:0:(0):(-0.22) with vectors nohead lc rgb blue lw 2, \
  '' using 2:0:ytic(1) with points pt 7 ps 0.8 lc rgb blue, \
  '' using ($4 > random_max ? $4 : NaN):0 with points pt 13 ps 1.1 lc rgb orange, \
  '' using ($4 > random_max ? NaN : $4):0 with points pt 12 ps 1.1 lc rgb orange, \
  '' using (label_at($4)):0:(sprintf("%.2f", $4)) with labels left offset 1.3,0 tc rgb orange
