def log = new File(basedir, 'build.log').readLines()
assert log.contains('file, 4, null')
assert log.contains('[true, true, false]')
assert log.contains('[true, true, true]')

// The sample of the page is a part of what was run.
def page = new File(basedir, '../../../../docs/migration.md').text
def samples = (page =~ /(?s)```kotlin\n(.*?)```/).collect { it[1] }
assert samples.size() == 1
assert new File(basedir, 'src/main/kotlin/Consumer.kt').text.contains(samples[0])

// Each line of the function in Nulls.kt is an error, and nothing else is.
def errors = log.findAll { it.startsWith('[ERROR] ') }.collect { it =~ /Nulls\.kt:(\d+)/ }.findAll { it.find() }
assert errors.collect { it.group(1) }.toSet() == ['8', '9', '10', '11', '12'] as Set
true
