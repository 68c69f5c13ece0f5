% snippet:description The swing of a pendulum with ode45, which chooses its steps by the error that is allowed. The quarter of the
% snippet:description period is compared with the theory of small swings, and a drift of the energy would tell that the solution is wrong.
% snippet:doc https://www.mathworks.com/help/matlab/ref/ode45.html ode45
g = 9.81;  L = 1;              % a pendulum of one metre
theta0 = deg2rad(10);

swing = @(t, y) [y(2); -g / L * sin(y(1))];
options = odeset("RelTol", 1e-8, "AbsTol", 1e-10);
[t, y] = ode45(swing, [0 4], [theta0; 0], options);

% A solution whose energy drifts is wrong.
energy = 0.5 * (L * y(:, 2)) .^ 2 + g * L * (1 - cos(y(:, 1)));
crossing = find(y(1:end-1, 1) > 0 & y(2:end, 1) <= 0, 1);
quarter = interp1(y(crossing:crossing+1, 1), t(crossing:crossing+1), 0);
fprintf("a quarter of the period is %.2f s, theory for small swings says %.2f s\n", quarter, pi / 2 * sqrt(L / g));
fprintf("energy drift below 1e-6: %d\n", max(abs(energy / energy(1) - 1)) < 1e-6);
% snippet:prints a quarter of the period is 0.50 s, theory for small swings says 0.50 s
% snippet:prints energy drift below 1e-6: 1
