package io.github.hotpath.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API, as the compiled classes have it, is that of {@code docs/api.txt}: so the diff of every change shows
 * what it changes for users. This writes the file anew:
 *
 * <pre>mvn test -pl core -Dtest=ApiTest -Dhotpath.api.write</pre>
 */
class ApiTest {
    private static final Path LIST = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolveSibling("docs")
            .resolve("api.txt");

    @Test
    void publicApi_isAsListed() throws Exception {
        List<String> api = api();
        if (Boolean.getBoolean("hotpath.api.write")) {
            Files.write(LIST, api);
        }

        List<String> listed = Files.readAllLines(LIST);
        int same = 0;
        while (same < Math.min(api.size(), listed.size()) && api.get(same).equals(listed.get(same))) {
            same++;
        }
        assertThat(api.stream().skip(same).limit(5))
                .as("from line %s on; written anew by: mvn test -pl core -Dtest=ApiTest -Dhotpath.api.write", same + 1)
                .containsExactlyElementsOf(listed.stream().skip(same).limit(5).toList());
    }

    /** Returns a line for each exported package, and for each type and member in it that users can name. */
    private static List<String> api() throws Exception {
        Path classes = Path.of(EventWindow.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> lines = new ArrayList<>();
        try (InputStream module = Files.newInputStream(classes.resolve("module-info.class"))) {
            for (ModuleDescriptor.Exports exports :
                    new TreeSet<>(ModuleDescriptor.read(module).exports())) {
                List<Class<?>> types = accessibleTypes(classes, exports.source());
                lines.add(annotations(types.get(0).getPackage()) + "package " + exports);
                lines.add("");
                for (Class<?> type : types) {
                    lines.add(declaration(type));
                    members(type).forEach(member -> lines.add("    " + member));
                    lines.add("");
                }
            }
        }
        return lines;
    }

    private static List<Class<?>> accessibleTypes(Path classes, String exported)
            throws IOException, ClassNotFoundException {
        TreeMap<String, Class<?>> types = new TreeMap<>();
        Path directory = classes.resolve(exported.replace('.', '/'));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.class")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName(exported + "." + name);
                if (isAccessible(type)) {
                    types.put(name, type);
                }
            }
        }
        return List.copyOf(types.values());
    }

    private static boolean isAccessible(Class<?> type) {
        Class<?> enclosing = type.getEnclosingClass();
        return isAccessible(type.getModifiers()) && (enclosing == null || isAccessible(enclosing));
    }

    private static boolean isAccessible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** Returns the members by name, constructors first, those that are inherited from hidden superclasses included. */
    private static Collection<String> members(Class<?> type) {
        TreeMap<String, String> members = new TreeMap<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isListed(constructor)) {
                members.put(parameters(constructor), declaration(constructor, name(type)));
            }
        }
        for (Class<?> from = type; from == type || isHidden(from); from = from.getSuperclass()) {
            for (Field field : from.getDeclaredFields()) {
                if (isListed(field)) {
                    members.putIfAbsent(field.getName(), declaration(field));
                }
            }
            for (Method method : from.getDeclaredMethods()) {
                if (isListed(method)) {
                    String result = name(method.getAnnotatedReturnType()) + " " + method.getName();
                    members.putIfAbsent(method.getName() + parameters(method), declaration(method, result));
                }
            }
        }
        return members.values();
    }

    private static boolean isHidden(Class<?> type) {
        return type != null && !isAccessible(type);
    }

    private static boolean isListed(Member member) {
        return isAccessible(member.getModifiers()) && !member.isSynthetic();
    }

    /** Returns what sorts behind the name alone, and before a longer name. */
    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameterTypes()).map(Class::getName).collect(joining(",", " ", ""));
    }

    private static String declaration(Class<?> type) {
        String kind =
                type.isInterface() ? "interface " : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
        String components = !type.isRecord()
                ? ""
                : Arrays.stream(type.getRecordComponents())
                        .map(component -> name(component.getAnnotatedType()) + " " + component.getName())
                        .collect(joining(", ", "(", ")"));
        String parents = Stream.concat(
                        Stream.ofNullable(type.getAnnotatedSuperclass()), Arrays.stream(type.getAnnotatedInterfaces()))
                .filter(parent -> !(parent.getType() instanceof Class<?> hidden && isHidden(hidden)))
                .map(ApiTest::name)
                .filter(parent -> !parent.equals("Object"))
                .collect(joining(", "));
        return annotations(type)
                + modifiers(type.getModifiers() & ~(type.isInterface() ? Modifier.INTERFACE | Modifier.ABSTRACT : 0))
                + (type.isSealed() ? "sealed " : "")
                + kind
                + name(type)
                + variables(type)
                + components
                + (parents.isEmpty() ? "" : " : " + parents);
    }

    private static String declaration(Field field) {
        return annotations(field)
                + modifiers(field.getModifiers() & ~Modifier.TRANSIENT)
                + name(field.getAnnotatedType())
                + " "
                + field.getName();
    }

    private static String declaration(Executable executable, String resultAndName) {
        int shown = Modifier.methodModifiers() & ~(Modifier.SYNCHRONIZED | Modifier.NATIVE | Modifier.STRICT);
        String variables = variables(executable);
        String parameters = Arrays.stream(executable.getAnnotatedParameterTypes())
                .map(ApiTest::name)
                .collect(joining(", "));
        String thrown = Arrays.stream(executable.getAnnotatedExceptionTypes())
                .map(ApiTest::name)
                .sorted()
                .collect(joining(", "));
        return annotations(executable)
                + modifiers(executable.getModifiers() & shown)
                + (executable instanceof Method method && method.isDefault() ? "default " : "")
                + (variables.isEmpty() ? "" : variables + " ")
                + resultAndName
                + "("
                + (executable.isVarArgs() ? parameters.replaceFirst("\\[]$", "...") : parameters)
                + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String variables(GenericDeclaration declaration) {
        return declaration.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(declaration.getTypeParameters())
                        .map(variable ->
                                annotations(variable) + variable + bounds(" extends ", variable.getAnnotatedBounds()))
                        .collect(joining(", ", "<", ">"));
    }

    private static String bounds(String before, AnnotatedType... bounds) {
        String names = Arrays.stream(bounds).map(ApiTest::name).collect(joining(" & "));
        return names.isEmpty() || names.equals("Object") ? "" : before + names;
    }

    /** Returns a type as Java writes it, with the annotations of its parts. */
    private static String name(AnnotatedType type) {
        if (type instanceof AnnotatedArrayType array) {
            String annotations = annotations(array);
            return name(array.getAnnotatedGenericComponentType())
                    + (annotations.isEmpty() ? "" : " " + annotations)
                    + "[]";
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            String lower = bounds(" super ", wildcard.getAnnotatedLowerBounds());
            return "?" + (lower.isEmpty() ? bounds(" extends ", wildcard.getAnnotatedUpperBounds()) : lower);
        }
        if (type instanceof AnnotatedParameterizedType parameterized) {
            Type raw = ((ParameterizedType) type.getType()).getRawType();
            return Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
                    .map(ApiTest::name)
                    .collect(joining(", ", annotations(type) + name((Class<?>) raw) + "<", ">"));
        }
        return annotations(type)
                + (type.getType() instanceof Class<?> plain
                        ? name(plain)
                        : type.getType().getTypeName());
    }

    /** Returns the name of a type, without its package if that is {@code java.lang} or of this library. */
    private static String name(Class<?> type) {
        return type.getTypeName()
                .replaceFirst("^(java\\.lang|io\\.github\\.hotpath\\.\\w+)\\.(?=[A-Z])", "")
                .replace('$', '.');
    }

    private static String annotations(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .map(type -> "@" + type.getSimpleName() + " ")
                .sorted()
                .collect(joining());
    }

    private static String modifiers(int modifiers) {
        return modifiers == 0 ? "" : Modifier.toString(modifiers) + " ";
    }
}
