#!/bin/sh
# Gets old packages for `go run ./snippets -lowest`; what is there already is left as it is.
#
#   lowest npm FOLDER VERSION PACKAGE...            the packages that name no version get the lowest of VERSION
#   lowest maven FOLDER GROUP:ARTIFACT:VERSION...   each with its dependencies
set -eu
registry=$1 folder=$2
shift 2
tools=$(cd "$(dirname "$0")/.." && pwd)
case $registry in
  npm)
    version=$1 target=$tools/lowest/$folder
    shift
    [ ! -d "$target" ] || exit 0
    case $version in
      *.*.*) ;;
      *.*) version=$version.0 ;;
      *) version=$version.0.0 ;;
    esac
    for package in "$@"; do
      shift
      case $package in
        ?*@*) set -- "$@" "$package" ;;
        *) set -- "$@" "$(echo "$package" | tr A-Z a-z)@$version" ;;
      esac
    done
    mkdir -p "$target.part"
    echo '{}' >"$target.part/package.json"
    npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps --prefix "$target.part" "$@"
    mv "$target.part" "$target"
    ;;
  maven)
    target=$tools/maven/lowest-$folder
    [ ! -d "$target" ] || exit 0
    dependencies=
    for artifact in "$@"; do
      group=${artifact%%:*} rest=${artifact#*:}
      dependencies="$dependencies<dependency><groupId>$group</groupId><artifactId>${rest%%:*}</artifactId><version>${rest#*:}</version></dependency>"
    done
    mkdir -p "$tools/maven/.poms"
    printf '<project><modelVersion>4.0.0</modelVersion><groupId>snippets</groupId><artifactId>lowest</artifactId><version>1</version><dependencies>%s</dependencies></project>\n' \
      "$dependencies" >"$tools/maven/.poms/$folder.xml"
    # With the system's Java: that of the tools, which is first in the path, is only a part of one.
    PATH=/usr/local/bin:/usr/bin:/bin mvn -q -B -f "$tools/maven/.poms/$folder.xml" dependency:copy-dependencies -DoutputDirectory="$target.part"
    mv "$target.part" "$target"
    ;;
esac
