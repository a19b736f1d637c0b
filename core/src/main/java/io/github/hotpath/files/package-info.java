/**
 * Directories that exist when they are needed, and their entries with attributes, on any file system.
 *
 * <p>All is in {@link io.github.hotpath.files.Dirs}; its methods are static and thread-safe.
 *
 * <table class="striped">
 * <caption>Which method to use</caption>
 * <thead><tr><th scope="col">to</th><th scope="col">call</th><th scope="col">cost if the directory exists</th></tr></thead>
 * <tbody>
 * <tr><th scope="row">make sure that a directory exists</th><td>{@code ensure(dir)}</td><td>one check</td></tr>
 * <tr><th scope="row">write a file below a directory that may be missing</th><td>{@code ensureParent(file)}</td>
 *     <td>one check</td></tr>
 * <tr><th scope="row">the same, if the directory is hardly ever missing</th><td>{@code withParent(file, operation)}</td>
 *     <td>none</td></tr>
 * <tr><th scope="row">list a directory with sizes and times</th><td>{@code entries(dir)}</td>
 *     <td>the attributes of each entry, once</td></tr>
 * <tr><th scope="row">list one that does not fit in memory</th><td>{@code forEachEntry(dir, action)}</td>
 *     <td>the same</td></tr>
 * </tbody>
 * </table>
 */
@NullMarked
package io.github.hotpath.files;

import org.jspecify.annotations.NullMarked;
