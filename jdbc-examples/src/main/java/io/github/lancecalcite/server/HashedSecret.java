package io.github.lancecalcite.server;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.jetty.util.security.Credential;

/**
 * A password or token known by its salted PBKDF2 hash: {@code pbkdf2:iterations:salt:hash}, salt
 * and hash in Base64.
 *
 * <p>Clients send their password with every request, and the hash is slow on purpose; so what was
 * right once is remembered, as a quick hash under a key of this process.
 */
final class HashedSecret extends Credential {
  private static final long serialVersionUID = 1;
  private static final String PREFIX = "pbkdf2:";
  private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
  private static final String QUICK = "HmacSHA256";
  private static final int ITERATIONS = 210_000;
  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final byte[] PROCESS_KEY = random(HASH_BYTES);

  private final int iterations;
  private final byte[] salt;
  private final byte[] hash;
  private volatile byte[] rightOnce = {};

  private HashedSecret(int iterations, byte[] salt, byte[] hash) {
    this.iterations = iterations;
    this.salt = salt;
    this.hash = hash;
  }

  static boolean isHash(String secret) {
    return secret.startsWith(PREFIX);
  }

  /** What to write into a file of users instead of the secret. */
  static String of(String secret) {
    byte[] salt = random(SALT_BYTES);
    Base64.Encoder text = Base64.getEncoder().withoutPadding();
    return String.format(
        Locale.ROOT,
        "%s%d:%s:%s",
        PREFIX,
        ITERATIONS,
        text.encodeToString(salt),
        text.encodeToString(slow(secret, salt, ITERATIONS)));
  }

  /**
   * @throws IllegalArgumentException if the text is not of the form that {@link #of} makes
   */
  static HashedSecret parse(String text) {
    String[] parts = text.substring(PREFIX.length()).split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not iterations:salt:hash");
    }
    int iterations = Integer.parseInt(parts[0]);
    byte[] salt = Base64.getDecoder().decode(parts[1]);
    byte[] hash = Base64.getDecoder().decode(parts[2]);
    if (iterations < 1 || iterations > MAX_ITERATIONS || salt.length == 0) {
      throw new IllegalArgumentException("iterations or salt out of range");
    }
    if (hash.length != HASH_BYTES) {
      throw new IllegalArgumentException("a hash has " + HASH_BYTES + " bytes");
    }
    return new HashedSecret(iterations, salt, hash);
  }

  @Override
  public boolean check(Object given) {
    String secret = given instanceof char[] chars ? new String(chars) : given.toString();
    byte[] quick = quick(secret);
    if (MessageDigest.isEqual(quick, rightOnce)) {
      return true;
    }
    boolean right = MessageDigest.isEqual(slow(secret, salt, iterations), hash);
    if (right) {
      rightOnce = quick;
    }
    return right;
  }

  private static byte[] slow(String secret, byte[] salt, int iterations) {
    try {
      PBEKeySpec spec =
          new PBEKeySpec(secret.toCharArray(), salt, iterations, HASH_BYTES * Byte.SIZE);
      return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK has the algorithm
    }
  }

  private static byte[] quick(String secret) {
    try {
      Mac mac = Mac.getInstance(QUICK);
      mac.init(new SecretKeySpec(PROCESS_KEY, QUICK));
      return mac.doFinal(secret.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK has the algorithm
    }
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
