% snippet:description Count measurements by interval and draw the counts as bars of characters. The count stands beside each bar,
% snippet:description and the largest one has twenty marks.
% snippet:doc https://www.mathworks.com/help/matlab/ref/histcounts.html histcounts
data  = [1.2 1.9 2.1 2.2 2.4 2.5 2.6 3.0 3.1 4.4];
edges = 1:5;
width = 20;

count = histc(data(:)', edges); % in MATLAB histcounts, which does not need the next two lines
count(end-1) = count(end-1) + count(end); % what is on the last edge
count = count(1:end-1);
bar_length = round(count / max([count(:); 1]) * width);
for k = 1:numel(count)
  fprintf("%g-%g %s %d\n", edges(k), edges(k+1), repmat('#', 1, bar_length(k)), count(k));
end
% snippet:prints 1-2 ######## 2
% snippet:prints 2-3 #################### 5
% snippet:prints 3-4 ######## 2
% snippet:prints 4-5 #### 1
