%% snippet:doc https://www.erlang.org/doc/apps/stdlib/maps.html maps
%% snippet:prints [{bath,1,900},{rome,2,600}]
-module(sales).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([totals/1]).

%% Count and sum per city, the largest sum first.
-spec totals([{City, Cents :: integer()}]) -> [{City, pos_integer(), integer()}].
totals(Sales) ->
    Groups = lists:foldl(
        fun({City, Cents}, Acc) ->
            maps:update_with(
                City,
                fun({Count, Sum}) -> {Count + 1, Sum + Cents} end,
                {1, Cents},
                Acc
            )
        end,
        #{},
        Sales
    ),
    Rows = [{City, Count, Sum} || {City, {Count, Sum}} <- maps:to_list(Groups)],
    lists:sort(fun({C1, _, S1}, {C2, _, S2}) -> {-S1, C1} =< {-S2, C2} end, Rows).
%% snippet:check
main() -> io:format("~p~n", [totals([{rome, 200}, {bath, 900}, {rome, 400}])]).
