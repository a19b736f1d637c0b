// Compiled without a warning; what Maven has to say of itself comes first.
def lines = new File(basedir, 'build.log').readLines().dropWhile { !it.contains('Scanning for projects') }
assert lines.findAll { it =~ /(?i)warn/ } == []

// Runs on the class path, on the module path, and from an image, each with nothing but the jar.
def published = []
new File(localRepositoryPath, 'io/github/hotpath/hotpath-core').eachFileRecurse {
    if (it.name =~ /\.(jar|pom)$/) published << it
}
assert published.size() == 2
def (jar, pomFile) = published.sort { it.name }
def classes = new File(basedir, 'target/classes')
def path = [classes, jar].join(File.pathSeparator)
def image = new File(basedir, 'target/image')
def run = { Object... command ->
    def output = new StringBuffer()
    def process = command*.toString().execute()
    process.waitForProcessOutput(output, output)
    assert process.exitValue() == 0 : output
    output.toString().trim()
}
def java = System.getProperty('java.home') + '/bin/'
def jdk = System.getProperty('java.specification.version')
def main = 'consumer/consumer.Consumer'
assert run(java + 'java', '-classpath', path, 'consumer.Consumer', "$basedir/run1") == "Module null on JDK $jdk: 1 1 4 1"
assert run(java + 'java', '-p', path, '-m', main, "$basedir/run2") == "Module consumer on JDK $jdk: 1 1 4 1"
run(java + 'jlink', '-p', path, '--add-modules', 'consumer', '--output', image)
assert run("$image/bin/java", '-m', main, "$basedir/run3") == "Module consumer on JDK $jdk: 1 1 4 1"

// The published pom.
assert !pomFile.text.contains('${')
def pom = new groovy.xml.XmlSlurper().parse(pomFile)
assert pom.children()*.name() - ['url', 'scm'] == [
    'modelVersion', 'groupId', 'artifactId', 'version', 'name', 'description', 'licenses', 'developers', 'dependencies',
]
assert pom.dependencies.dependency*.artifactId*.text() == ['jspecify']
true
