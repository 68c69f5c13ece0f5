% snippet:doc https://www.mathworks.com/help/matlab/ref/filter.html filter
alpha = 0.3;
t = 0:0.1:10;
clean = sin(t);
noisy = clean + 0.3 * (mod(1:numel(t), 2) - 0.5); % a disturbance that alternates

% y(k) = alpha*x(k) + (1-alpha)*y(k-1), started so that the first value is the first sample.
smooth = filter(alpha, [1, alpha - 1], noisy, (1 - alpha) * noisy(1));

rms_of = @(x) sqrt(mean(x .^ 2));
fprintf("disturbance before %.3f, after %.3f\n", rms_of(diff(noisy - clean)), rms_of(diff(smooth) - diff(clean)));
% snippet:prints disturbance before 0.300, after 0.058
