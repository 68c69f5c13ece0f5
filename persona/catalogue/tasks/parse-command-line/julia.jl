# snippet:doc https://argparsejl.readthedocs.io/en/latest/argparse.html ArgParse.jl
using ArgParse

function parse_options(args)
    settings = ArgParseSettings(description = "Simulates a random walk and writes it as CSV.")
    @add_arg_table! settings begin
        "--steps", "-n"
            help = "length of the walk"
            arg_type = Int
            default = 1000
            range_tester = >(0)
        "--seed"
            help = "the same seed gives the same walk"
            arg_type = Int
            default = 1
        "--quiet", "-q"
            help = "write nothing but the result"
            action = :store_true
        "output"
            help = "the CSV file to write"
            required = true
    end
    # A wrong option prints the usage and ends with code 1. The names of options may be cut short: --st.
    return parse_args(args, settings; as_symbols = true)
end

function main(args)
    options = parse_options(args)
    options[:quiet] || @info "random walk" options[:steps] options[:seed]
end

main(ARGS)
