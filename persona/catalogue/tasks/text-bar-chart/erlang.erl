%% snippet:doc https://www.erlang.org/doc/apps/stdlib/io.html#fwrite/3 io:fwrite
%% snippet:prints checkout |######## 12
%% snippet:prints search   |#################### 30.5
%% snippet:prints login    | 0
-module(bar_chart).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([bar_chart/2]).

%% One line per {Label, Value}; the bar of the largest value above zero has Width
%% marks.
bar_chart([], _Width) ->
    [];
bar_chart(Rows, Width) ->
    LabelWidth = lists:max([string:length(Label) || {Label, _} <- Rows]),
    Highest = case lists:max([Value || {_, Value} <- Rows]) of
        Most when Most > 0 -> Most;
        _ -> 1
    end,
    [
        [
            string:pad(Label, LabelWidth),
            " |",
            lists:duplicate(round(max(0, Value) / Highest * Width), $#),
            io_lib:format(" ~p~n", [Value])
        ]
     || {Label, Value} <- Rows
    ].
%% snippet:check
main() ->
    io:put_chars(bar_chart([{"checkout", 12}, {"search", 30.5}, {"login", 0}], 20)).
