/**
 * Small classes to paste, each for one problem: what people build with windows, {@link io.github.hotpath.files.Dirs}
 * and limiters. They may be used for any purpose, without a notice (0BSD).
 *
 * <table>
 * <caption>The recipes, and the other files and libraries that they need</caption>
 * <tr><th>counting</th><td></td></tr>
 * <tr><td>{@link Meter}</td><td>Micrometer, for its gauges</td></tr>
 * <tr><td>{@link ErrorAlarm}</td><td>shown by {@link WatchErrors}</td></tr>
 * <tr><td>{@link RetryBudget}</td><td></td></tr>
 * <tr><td>{@link CircuitBreaker}</td><td></td></tr>
 * <tr><td>{@link WindowFile}</td>
 *     <td>{@link RestartFile}, {@link DurableFile}, {@link CompleteFile}; shown by {@link CountRuns}</td></tr>
 * <tr><th>directories</th><td></td></tr>
 * <tr><td>{@link FileStore}</td><td>{@link CompleteFile}; Guava</td></tr>
 * <tr><td>{@link Retention}</td><td></td></tr>
 * <tr><td>{@link DailyLog}</td><td></td></tr>
 * <tr><td>{@link Spool}</td><td>{@link CompleteFile}</td></tr>
 * <tr><td>{@link TempDirectory}</td><td>Guava</td></tr>
 * <tr><th>limits</th><td></td></tr>
 * <tr><td>{@link LimitedHttpClient}</td><td>Guava, structured-fields</td></tr>
 * <tr><td>{@link LimitedConsumer}</td><td>kafka-clients</td></tr>
 * <tr><td>{@link LimitingTurboFilter}, {@link LimitingLog4jFilter}</td>
 *     <td>{@link LineLimits}; Logback or Log4j 2</td></tr>
 * <tr><td>{@link ModelClient}</td><td>{@link Model}; Guava</td></tr>
 * <tr><td>{@link LimiterFile}</td>
 *     <td>{@link RestartFile}, {@link DurableFile}, {@link CompleteFile}; shown by {@link KeepLimits}</td></tr>
 * </table>
 */
package io.github.hotpath.examples.recipes;
