%% snippet:doc https://www.erlang.org/doc/apps/stdlib/timer.html#tc/1 timer:tc
%% snippet:prints #{50 => 100,95 => 190,99 => 198,100 => 200}
%% snippet:prints 5
-module(latency).
%% snippet:usage
-export([main/0]).
%% snippet:end
-export([measure/2, summary/1]).

%% Runs Fun a number of times and returns the durations in microseconds.
measure(Fun, Times) ->
    [Micros || _ <- lists:seq(1, Times), {Micros, _Result} <- [timer:tc(Fun)]].

%% Median and tail by nearest rank: values that were really measured.
summary([]) ->
    #{};
summary(Samples) ->
    Sorted = list_to_tuple(lists:sort(Samples)),
    maps:from_list([{P, percentile(Sorted, P)} || P <- [50, 95, 99, 100]]).

percentile(Sorted, P) ->
    Rank = ceil(P * tuple_size(Sorted) / 100),
    element(max(1, Rank), Sorted).
%% snippet:usage
main() ->
    io:format("~p~n", [summary(lists:reverse(lists:seq(1, 200)))]),
    io:format("~p~n", [length(measure(fun() -> lists:seq(1, 10) end, 5))]).
