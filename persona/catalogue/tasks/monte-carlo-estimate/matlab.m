% snippet:doc https://www.mathworks.com/help/matlab/ref/rand.html rand
rng(42); % the same trials on every run
n = 1e6;

% Tolerance of a voltage divider with resistors of 1 % and 5 %.
r1 = 10e3 * (1 + 0.01 * (2 * rand(n, 1) - 1));
r2 = 4.7e3 * (1 + 0.05 * (2 * rand(n, 1) - 1));
out = 5 * r2 ./ (r1 + r2);

sorted = sort(out);
fprintf("nominal %.3f V\n", 5 * 4.7 / 14.7);
fprintf("99 %% of the boards: %.2f V to %.2f V\n", sorted(round(0.005 * n)), sorted(round(0.995 * n)));
% snippet:prints nominal 1.599 V
% snippet:prints 99 % of the boards: 1.54 V to 1.66 V
