// Once on the class path, once on the module path, once from an image: and nobody warned of anything.
def log = new File(basedir, 'build.log').text
def jdk = System.getProperty('java.specification.version')
assert log.findAll(/Module .*/)*.trim() == [
    "Module null on JDK $jdk: 1 1 4 1",
    "Module consumer on JDK $jdk: 1 1 4 1",
    "Module consumer on JDK $jdk: 1 1 4 1",
]
assert !(log =~ /(?i)warn/)

// The pom that they were given.
def poms = []
new File(localRepositoryPath, 'io/github/hotpath/hotpath-core').eachFileRecurse { if (it.name.endsWith('.pom')) poms << it }
assert poms.size() == 1
assert !poms[0].text.contains('${')
def pom = new groovy.xml.XmlSlurper().parse(poms[0])
assert pom.children()*.name() - ['url', 'scm'] == [
    'modelVersion', 'groupId', 'artifactId', 'version', 'name', 'description', 'licenses', 'developers', 'dependencies',
]
assert pom.dependencies.dependency*.artifactId*.text() == ['jspecify']
true
