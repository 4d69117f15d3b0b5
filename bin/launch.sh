# Shared by ./sqlline and ./avatica-server: find Java, build what is missing or older than its sources, and say
# which jars and JVM flags to start with. Sourced, never run; bash 3.2 is enough.
#
# Environment: JAVA_HOME (else java on the PATH), LANCE_JAVA_OPTS (extra JVM flags, added last).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lib=$root/jdbc-examples/target/lib
cache=$root/jdbc-examples/target/launch
built=$cache/built

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# Sets java (the program), java_home and java_version (17, 25, ...). Reads the JDK's release file, because starting Java to ask it costs
# 60 ms.
find_java() {
  java=${JAVA_HOME:+$JAVA_HOME/bin/java}
  [ -n "$java" ] || java=$(command -v java) || die "no java found; install JDK 17 or newer, or set JAVA_HOME"
  [ -x "$java" ] || die "JAVA_HOME=$JAVA_HOME has no bin/java"
  local real=$java
  while [ -L "$real" ]; do
    local target
    target=$(readlink "$real")
    case $target in /*) real=$target ;; *) real=$(dirname "$real")/$target ;; esac
  done
  java_home=$(cd "$(dirname "$real")/.." && pwd)
  java_version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$java_home/release" 2>/dev/null)
  [ -n "$java_version" ] || java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  [ "${java_version:-0}" -ge 17 ] || die "$java is Java ${java_version:-of unknown version}; JDK 17 or newer is needed"
}

# Whether the jars are there and no source is newer than the last build.
up_to_date() {
  [ -f "$built" ] && [ -n "$(driver_jar)" ] && [ -d "$lib" ] || return 1
  [ -z "$(cd "$root" && find pom.xml decoder/pom.xml adapter/pom.xml driver/pom.xml jdbc-examples/pom.xml \
    decoder/src/main adapter/src/main driver/src/main jdbc-examples/src/main \
    -newer "$built" 2>/dev/null | head -n 1)" ]
}

driver_jar() {
  local jar
  for jar in "$root"/driver/target/lance-jdbc-*.jar; do
    [ -f "$jar" ] && echo "$jar" && return
  done
}

# Builds the driver and the examples if they are missing or old. One build at a time.
build() {
  up_to_date && return
  command -v mvn >/dev/null || die "needs building once, and no mvn found; install Maven 3.8 or newer"
  mkdir -p "$cache"
  if command -v flock >/dev/null; then
    exec 9>"$cache/lock"
    flock 9
  fi
  if ! up_to_date; then
    local start=$SECONDS log=$cache/build.log
    echo "${0##*/}: building, once; the first time Maven also fetches what it needs ..." >&2
    rm -rf "$lib" # a jar of an older version would stay
    touch "$cache/started"
    # Java of Maven is the same as ours
    if ! (cd "$root" && JAVA_HOME=$java_home mvn -B -q -Dfast -DskipTests -pl driver,jdbc-examples -am package \
      >"$log" 2>&1 </dev/null); then
      tail -n 40 "$log" >&2
      die "the build failed; its whole output is in $log"
    fi
    # as old as the build's start, so that a source edited meanwhile counts as newer
    touch -r "$cache/started" "$built"
    echo "${0##*/}: built in $((SECONDS - start)) s" >&2
  fi
  exec 9>&-
}

# Sets jvm to the flags that every start needs: no warnings, a quick collector.
jvm_flags() {
  jvm=(-XX:+UseSerialGC -Xlog:disable -Xlog:all=error:stderr)
  # Arrow reads memory through sun.misc.Unsafe, which newer JDKs remark upon
  [ "$java_version" -ge 24 ] && jvm+=(--sun-misc-unsafe-memory-access=allow)
  return 0
}

# archive NAME CLASSPATH: prints the class-data archive's path for this JVM and these jars (by size and time).
archive() {
  local key
  key=$( (cat "$java_home/release" 2>/dev/null; echo "$2"; IFS=:; ls -lnL $2) | cksum)
  echo "$cache/$1-$java_version-${key%% *}.jsa"
}
