/** Tests of the races in the library with jcstress: each says which outcomes there are, and why. */
package io.github.hotpath.examples.races;
