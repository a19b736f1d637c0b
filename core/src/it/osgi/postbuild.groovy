// The jar is resolved though nothing exports JSpecify's annotations, and another bundle uses its packages.
def printed = new File(basedir, 'build.log').readLines() as Set
def isPrinted = { printed.contains(it) }
assert isPrinted('1 true by io.github.hotpath')
assert isPrinted('io.github.hotpath is resolved')
true
