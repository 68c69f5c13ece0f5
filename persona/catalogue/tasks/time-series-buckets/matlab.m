% snippet:doc https://www.mathworks.com/help/matlab/ref/accumarray.html accumarray
seconds = [0 30 59 130 170];
volts   = [3.20 3.22 3.21 3.10 3.12];
width   = 60;

% The bucket of each reading, counted from the first one; empty buckets stay in the result.
slot   = floor(double(seconds(:)) / width);
bucket = slot - min(slot) + 1;
count  = accumarray(bucket, 1);
mean_v = accumarray(bucket, volts(:), [], @mean, NaN);
max_v  = accumarray(bucket, volts(:), [], @max, NaN);

for k = 1:numel(count)
  fprintf("%3d s: %d readings, mean %.3f V, max %.2f V\n", (min(slot) + k - 1) * width, count(k), mean_v(k), max_v(k));
end
% snippet:prints   0 s: 3 readings, mean 3.210 V, max 3.22 V
% snippet:prints  60 s: 0 readings, mean NaN V, max NaN V
% snippet:prints 120 s: 2 readings, mean 3.110 V, max 3.12 V
