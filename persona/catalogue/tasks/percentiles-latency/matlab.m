% snippet:doc https://www.mathworks.com/help/matlab/ref/sort.html sort
ms = [12 15 11 14 13 12 240 13 12 16 14 13 900 12 15 13 14 12 13 15];

% Nearest rank: every answer is a value that occurred. No toolbox needed.
sorted = sort(ms);
rank_of = @(percent) max(1, ceil(percent * numel(sorted) / 100 - 1e-7)); % 99.9 * 41000 / 100 is above 40959

fprintf("mean %.0f ms\n", mean(ms));
for percent = [50 95 99]
  fprintf("p%-3d %4d ms\n", percent, sorted(rank_of(percent)));
end
% snippet:prints mean 69 ms
% snippet:prints p50    13 ms
% snippet:prints p95   240 ms
% snippet:prints p99   900 ms
