% snippet:doc https://www.mathworks.com/help/matlab/ref/mldivide.html Least squares with the backslash operator
volts = [0.1 0.9 2.1 2.9 4.1 4.9]';
force = [0 1 2 3 4 5]';

% Calibrate a load cell: force = a * volts + b, in the least-squares sense.
A = [volts, ones(size(volts))];
p = A \ force;

residual = force - A * p;
r2 = 1 - sum(residual .^ 2) / sum((force - mean(force)) .^ 2);
fprintf("force = %.3f * volts %+.3f, R2 = %.4f\n", p, r2);
fprintf("at 3.5 V: %.2f N, largest error %.2f N\n", [3.5 1] * p, max(abs(residual)));
% snippet:prints force = 1.014 * volts -0.035, R2 = 0.9968
% snippet:prints at 3.5 V: 3.51 N, largest error 0.12 N
