/**
 * Uses of this library: recipes to copy from, each with a program that shows it.
 *
 * <table>
 * <caption>The recipes</caption>
 * <tr><th>to copy</th><th>the program</th></tr>
 * <tr><td>{@link LimitedServer}</td><td>{@link LimitClients}</td></tr>
 * <tr><td>{@link ModelClient}, {@link Model}</td><td>{@link CallModel}</td></tr>
 * <tr><td>{@link ErrorAlarm}</td><td>{@link WatchErrors}</td></tr>
 * <tr><td>{@link LimitingHandler}</td><td>{@link FilterLog}</td></tr>
 * <tr><td>{@link WindowGauges}</td><td>{@link ShowGauges}</td></tr>
 * <tr><td>{@link FileStore}</td><td></td></tr>
 * <tr><td>{@link WindowFile}, {@link RestartFile}, {@link DurableFile}</td><td>{@link SurviveRestart}</td></tr>
 * <tr><td>{@link LimiterFile}, {@link RestartFile}, {@link DurableFile}</td><td>{@link KeepLimits}</td></tr>
 * </table>
 */
package io.github.hotpath.examples.recipes;
