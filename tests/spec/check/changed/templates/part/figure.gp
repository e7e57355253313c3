# {{#same}}
plot "{{x}}"
