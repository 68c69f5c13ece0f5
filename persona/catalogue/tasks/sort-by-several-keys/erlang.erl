%% snippet:doc https://www.erlang.org/doc/apps/stdlib/lists.html lists
%% snippet:prints [{1,"Cy"},{2,"Di"},{3,"Ann"},{4,"bo"}]
-module(ranking).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([rank/1, places/1]).

%% Best score first, then the shorter time, then the name. Terms of the same
%% shape compare element by element, so a key tuple says it all.
rank(Players) ->
    Keyed = [{key(P), P} || P <- Players],
    [P || {_Key, P} <- lists:keysort(1, Keyed)].

key(#{score := Score, seconds := Seconds, name := Name}) ->
    {-Score, Seconds, string:casefold(Name)}.

places(Players) ->
    Ranked = rank(Players),
    lists:zip(lists:seq(1, length(Ranked)), [maps:get(name, P) || P <- Ranked]).
%% snippet:check
main() ->
    Players = [#{name => N, score => S, seconds => T} || {N, S, T} <- [{"bo", 10, 2.5}, {"Ann", 10, 2.5}, {"Cy", 12, 9.0}, {"Di", 10, 1.0}]],
    io:format("~p~n", [places(Players)]).
