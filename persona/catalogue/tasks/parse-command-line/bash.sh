#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Conditional-Constructs.html Conditional constructs
# Long options, "--" and clear refusals, without leaving bash.
parse() {
  environment=staging tag='' verbose=0 services=()
  while (($#)); do
    case $1 in
      -e | --environment | -t | --tag)
        (($# > 1)) || { echo "$1 needs a value" >&2; return 64; }
        if [[ $1 == -t || $1 == --tag ]]; then tag=$2; else environment=$2; fi
        shift
        ;;
      --environment=*) environment=${1#*=} ;;
      --tag=*) tag=${1#*=} ;;
      -h | --help) echo "usage: deploy [-e environment] [-t tag] [-v] [--] [service …]"; exit 0 ;;
      -v | --verbose) verbose=$((verbose + 1)) ;;
      --) shift; services+=("$@"); break ;;
      -*) echo "unknown option: $1" >&2; return 64 ;;
      *) services+=("$1") ;;
    esac
    shift
  done
  [[ $environment =~ ^(staging|production)$ ]] || {
    echo "environment must be staging or production, not \"$environment\"" >&2
    return 64
  }
}

parse --environment=production -t v1.4.2 -v api -- worker --odd-name || exit
echo "$environment $tag $verbose: ${services[*]}"
# snippet:usage
# snippet:prints production v1.4.2 1: api worker --odd-name
# snippet:check
# snippet:prints environment must be staging or production, not "prod"
# snippet:prints status 64
# snippet:prints unknown option: --force
# snippet:prints status 64
# snippet:prints -t needs a value
# snippet:prints status 64
parse --environment=prod 2>&1 || echo "status $?"
parse --force 2>&1 || echo "status $?"
parse api -t 2>&1 || echo "status $?"
