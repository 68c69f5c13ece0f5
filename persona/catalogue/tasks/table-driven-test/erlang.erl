%% snippet:into Save it as version_tests.erl: erlc version_tests.erl, then erl -noshell -s version_tests main -s init stop
%% snippet:doc https://www.erlang.org/doc/apps/eunit/chapter.html EUnit
%% snippet:prints   All 5 tests passed.
-module(version_tests).
%% snippet:usage
-export([main/0]).
%% snippet:end
-include_lib("eunit/include/eunit.hrl").

%% A generator: every row becomes a test of its own, named by its title.
compare_test_() ->
    Cases = [
        {"equal", "1.2.3", "1.2.3", equal},
        {"numbers, not text", "1.10.0", "1.9.0", newer},
        {"shorter is older", "1.2", "1.2.1", older},
        {"major first", "2.0.0", "1.99.99", newer}
    ],
    [
        {Title, ?_assertEqual(Expected, compare(Left, Right))}
     || {Title, Left, Right, Expected} <- Cases
    ].

bad_version_test() ->
    ?assertError(badarg, compare("1.x", "1.0")).

compare(Left, Right) ->
    Numbers = fun(Text) -> [list_to_integer(N) || N <- string:lexemes(Text, ".")] end,
    case {Numbers(Left), Numbers(Right)} of
        {Same, Same} -> equal;
        {A, B} when A > B -> newer;
        _ -> older
    end.
%% snippet:usage
main() -> ok = eunit:test(?MODULE).
