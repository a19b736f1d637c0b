// Once on the class path, once on the module path, once from an image: and nobody warned of anything.
// What Maven has to say of itself comes first.
def lines = new File(basedir, 'build.log').readLines().dropWhile { !it.contains('Scanning for projects') }
def jdk = System.getProperty('java.specification.version')
assert lines.findAll { it.startsWith('Module ') } == [
    "Module null on JDK $jdk: 1 1 4 1",
    "Module consumer on JDK $jdk: 1 1 4 1",
    "Module consumer on JDK $jdk: 1 1 4 1",
]
assert lines.findAll { it =~ /(?i)warn/ } == []

// The pom that they were given.
def poms = []
new File(localRepositoryPath, 'io/github/hotpath/hotpath-core').eachFileRecurse {
    if (it.name.endsWith('.pom')) poms << it
}
assert poms.size() == 1
assert !poms[0].text.contains('${')
def pom = new groovy.xml.XmlSlurper().parse(poms[0])
assert pom.children()*.name() - ['url', 'scm'] == [
    'modelVersion', 'groupId', 'artifactId', 'version', 'name', 'description', 'licenses', 'developers', 'dependencies',
]
assert pom.dependencies.dependency*.artifactId*.text() == ['jspecify']
true
