// The jar is resolved though nothing exports JSpecify's annotations, and another bundle uses its packages.
def log = new File(basedir, 'build.log').readLines()
assert log.contains('1 true by io.github.hotpath')
assert log.contains('io.github.hotpath is resolved')
true
