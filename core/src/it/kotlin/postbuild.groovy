def log = new File(basedir, 'build.log').readLines()
def isPrinted = { log.contains(it) }
assert isPrinted('file, 4, null')
assert isPrinted('[true, true, false]')
assert isPrinted('[true, true, true]')

// The sample of the page is a part of what was run.
def page = new File(basedir, '../../../../docs/migration.md').text
def samples = (page =~ /(?s)```kotlin\n(.*?)```/).collect { it[1] }
def isRun = { new File(basedir, 'src/main/kotlin/Consumer.kt').text.contains(it) }
assert samples.size() == 1 && samples.every(isRun)

// Each line of the function in Nulls.kt is an error, and nothing else is.
def errors = log.collect { it =~ /^\[ERROR] .*Nulls\.kt:(\d+)/ }.findAll { it.find() }
assert errors.collect { it.group(1) }.toSet() == ['8', '9', '10', '11', '12'] as Set
true
