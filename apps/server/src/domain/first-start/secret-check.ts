import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'

/**
 * The plaintext of the secret check. It also records that the installation's audit chains use keyed hashes.
 * Only the owner of the secret can change it. Without this record, an attacker could rebuild a chain without
 * a key and pass it off as a chain from before keys existed.
 */
export const secretCheckText = 'parley, with keyed audit chains'
export const secretCheckContext = 'installation/secretCheck'

/**
 * Thrown if the stored secrets were encrypted with another PARLEY_SECRET. The service must not start, because
 * it could not decrypt any of them.
 */
class WrongSecret extends Error {
  constructor() {
    super(
      'PARLEY_SECRET is not the secret that this database was set up with. It cannot decrypt the stored secrets.',
    )
    this.name = 'WrongSecret'
  }
}

/** Seals the content of the secret check with the current secret. */
export async function resealSecretCheck(stores: Stores, cipher: Cipher): Promise<void> {
  await stores.installation.lock()
  await stores.installation.replaceSecretCheck(cipher.seal(secretCheckText, secretCheckContext))
}

/** Opens the secret check. Throws if it was sealed with another secret. */
export function openSecretCheck(cipher: Cipher, secretCheck: string): string {
  try {
    return cipher.open(secretCheck, secretCheckContext)
  } catch {
    throw new WrongSecret()
  }
}

/** Throws if the stored secrets were sealed with another secret. */
export function requireSecret(cipher: Cipher, secretCheck: string): void {
  openSecretCheck(cipher, secretCheck)
}

/** Returns whether the stored secrets were sealed with this secret. */
export function opensSecrets(cipher: Cipher, secretCheck: string): boolean {
  try {
    openSecretCheck(cipher, secretCheck)
    return true
  } catch {
    return false
  }
}
