/** Creates certificates for tests with the program openssl. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The paths of the PEM files of a certificate and its key. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A folder with certificates of one authority. */
export class Authority {
  /** The file of its own certificate. */
  readonly ca: string
  readonly #folder: string
  readonly #key: string

  private constructor(folder: string) {
    this.#folder = folder
    const { cert, key } = this.renew()
    this.ca = cert
    this.#key = key
  }

  /** Replaces its own certificate and key. Certificates with earlier signatures remain. */
  renew(): Certificate {
    return this.#request('authority', ['-x509'])
  }

  static async create(): Promise<Authority> {
    return new Authority(await mkdtemp(join(tmpdir(), 'gloss-certificates-')))
  }

  /** A certificate for names, such as `DNS:localhost` or `IP:127.0.0.1`. */
  sign(file: string, names: string): Certificate {
    const by = ['-x509', '-CA', this.ca, '-CAkey', this.#key]
    return this.#request(file, [...by, '-addext', `subjectAltName=${names}`])
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }

  #request(file: string, options: readonly string[]): Certificate {
    const [cert, key] = ['cert', 'key'].map((kind) => join(this.#folder, `${file}-${kind}.pem`)) as [
      string,
      string,
    ]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    execFileSync(
      'openssl',
      ['req', ...curve, '-subj', `/CN=${file}`, '-keyout', key, '-out', cert, ...options],
      {
        stdio: 'ignore',
      },
    )
    return { cert, key }
  }
}
