// Makes a project of each row of the page's first table: its files, which it names with their lines, and its libraries.
def web = basedir.parentFile.parentFile.parentFile
def pom = new groovy.xml.XmlSlurper().parse(new File(basedir, 'pom.xml'))
def shared = 'RequestLimits.java'
def projects = [
    servlet: ['RateLimitConfiguration.java'],
    redis: ['RateLimitConfiguration.java', 'RedisLimits.java'],
    postgresql: ['RateLimitConfiguration.java', 'PostgresLimits.java'],
    webflux: ['RateLimitWebFilter.java'],
    jaxrs: ['RateLimitRequestFilter.java'],
    grpc: ['RateLimitInterceptor.java'],
    security: ['LimitedAuthenticationManager.java', 'RateLimitConfiguration.java'],
]
// What a user has anyway, or a server that is started.
def others = [
    redis: ['com.github.codemonstur:embedded-redis:${embedded-redis.version}'],
    postgresql: [
        'io.zonky.test:embedded-postgres:${embedded-postgres.version}',
        'org.springframework.boot:spring-boot-starter-jdbc',
    ],
    webflux: ['org.springframework.boot:spring-boot-starter-tomcat'],
    jaxrs: ['org.springframework.boot:spring-boot-starter-jersey'],
]

def rows = [:]
new File(web, 'README.md').eachLine { line ->
    def row = line =~ /^\| \[(\w+\.java)\]\((\S+)\) \| \d+ \| .* \| `([^`]+)` ?(\S*) \|$/
    if (row.find()) {
        rows[row.group(1)] = [file: new File(web, row.group(2)), library: row.group(3), version: row.group(4)]
    }
}
assert rows.keySet() == ([shared] + projects.values().flatten()) as Set

[web, new File(web.parentFile, 'redis'), new File(web.parentFile, 'postgresql')].each { folder ->
    def page = new File(folder, 'README.md').text
    (page =~ /\[(\w+\.java)]\((\S+)\) \| (\d+) \|/).each { all, name, file, lines ->
        assert new File(folder, file).readLines().size() == lines as int : name
    }
    pom.profiles.profile.properties.children().each { assert page.contains(it.text()) }
}
assert rows[shared].library == 'io.github.hotpath:hotpath-core' && rows[shared].version == pom.dependencies.dependency.version.text()

projects.each { project, names ->
    def sources = new File(basedir, "$project/src/main/java/app")
    sources.mkdirs()
    ([shared] + names).each {
        new File(sources, it).text = rows[it].file.text.replaceFirst(/package .*;/, 'package app;')
    }
    if (project != 'grpc') {
        new File(sources, 'Ask.java').text = new File(basedir, 'Ask.java').text
    }
    def libraries = names.collect { rows[it].version ? rows[it].library + ':' + rows[it].version : rows[it].library } +
        (others[project] ?: [])
    new File(basedir, "$project/pom.xml").text = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>pasted</groupId><artifactId>pasted</artifactId><version>1</version></parent>
  <artifactId>$project</artifactId>
  <properties><exec.skip>${project == 'grpc'}</exec.skip></properties>
  <dependencies>
""" + libraries.collect {
        def parts = it.split(':')
        "    <dependency><groupId>${parts[0]}</groupId><artifactId>${parts[1]}</artifactId>" +
            (parts.length > 2 ? "<version>${parts[2]}</version>" : '') + '</dependency>\n'
    }.join('') + '  </dependencies>\n</project>\n'
}
true
