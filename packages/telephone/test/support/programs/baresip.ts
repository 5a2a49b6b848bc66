import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { closeAfterwards } from '../../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../../apps/server/test/support/services/free-port.js'
import { loopbackCertificate } from './loopback-certificate.js'
import { startProgram } from './start-program.js'
import { makeSpeech, makeWav, readWav } from './wav.js'

interface BaresipEvent {
  readonly event?: boolean
  readonly type?: string
  readonly param?: string
}

export interface BaresipOptions {
  /** Parameters of the account, after the address. */
  readonly account?: string
  /** Whether to wait until it is registered. Its event may come before this side listens for events. */
  readonly isRegistered?: boolean
  /** The address of record, by default of this machine. */
  readonly address?: string
  /** The audio that it plays in each call. By default `speech`. */
  readonly says?: Int16Array
  /** Lines for the configuration file. */
  readonly settings?: readonly string[]
}

const modules = ['g711.so', 'srtp.so', 'aufile.so', 'aubridge.so', 'sndfile.so']

/** What a baresip says in each call. */
export const speech = makeSpeech(4)

/** A telephone of another make. It plays `speech` in each call, and records its calls. */
export class Baresip {
  readonly port: number
  readonly tlsPort: number
  readonly #folder: string
  readonly #events: BaresipEvent[] = []
  readonly #socket: Socket

  private constructor(port: number, folder: string, socket: Socket) {
    this.port = port
    this.tlsPort = port + 1
    this.#folder = folder
    this.#socket = socket
    let rest = Buffer.alloc(0) as Buffer
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const colon = rest.indexOf(':')
        const length = Number(rest.toString('latin1', 0, Math.max(0, colon)))
        if (colon < 0 || rest.length < colon + length + 2) return
        this.#events.push(JSON.parse(rest.toString('utf8', colon + 1, colon + 1 + length)) as BaresipEvent)
        rest = rest.subarray(colon + length + 2)
      }
    })
  }

  static async start(options: BaresipOptions = {}): Promise<Baresip> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-baresip-'))
    closeAfterwards(() => rm(folder, { recursive: true, force: true }))
    const [port, control, rtp] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const firstRtp = rtp - (rtp % 2)
    const address = options.address ?? `sip:peer@127.0.0.1:${port}`
    // The end of the file would end the call, so silence follows the speech.
    const audio = new Int16Array(8000 * 90)
    audio.set(options.says ?? speech)
    await writeFile(join(folder, 'say.wav'), makeWav(audio))
    await writeFile(
      join(folder, 'both.pem'),
      `${loopbackCertificate.key}\n${loopbackCertificate.certificate}\n`,
    )
    await writeFile(join(folder, 'contacts'), '')
    await writeFile(
      join(folder, 'accounts'),
      `<${address}>${options.account ?? ''};regint=0;answermode=auto;audio_codecs=pcmu\n`,
    )
    const arguments_ = async (program: { folder(name: string): string }) => {
      const lines = [
        `sip_listen 127.0.0.1:${port}`,
        `sip_certificate ${join(folder, 'both.pem')}`,
        'sip_verify_server no',
        `rtp_ports ${firstRtp}-${firstRtp + 60}`,
        `audio_source aufile,${join(folder, 'say.wav')}`,
        'audio_player aubridge,nil',
        'audio_alert aubridge,nil2',
        'audio_srate 8000',
        'audio_channels 1',
        `module_path ${join(program.folder('baresip'), 'modules')}`,
        ...modules.map((name) => `module ${name}`),
        ...['uuid.so', 'account.so'].map((name) => `module_tmp ${name}`),
        ...['menu.so', 'ctrl_tcp.so'].map((name) => `module_app ${name}`),
        `ctrl_tcp_listen 127.0.0.1:${control}`,
        `snd_path ${folder}`,
        ...(options.settings ?? []),
      ]
      await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`)
      return ['-f', folder]
    }
    await startProgram('baresip', arguments_, options.isRegistered ? /\[1 binding\]/ : /baresip is ready/)
    const socket = connect(control, '127.0.0.1')
    await once(socket, 'connect')
    closeAfterwards(() => socket.destroy())
    return new Baresip(port, folder, socket)
  }

  /** Sends a command such as `dial` or `hangup`. */
  command(command: string, params = ''): void {
    const text = JSON.stringify({ command, params })
    this.#socket.write(`${Buffer.byteLength(text)}:${text},`)
  }

  /** The types of the events so far. */
  get events(): string[] {
    return this.#events.flatMap(({ type }) => (type === undefined ? [] : [type]))
  }

  /** The parameters of the events of this type. */
  parametersOf(wanted: string): string[] {
    return this.#events.flatMap(({ type, param }) => (type === wanted ? [param ?? ''] : []))
  }

  async until(type: string): Promise<void> {
    await expect.poll(() => this.events, { message: `baresip reports no ${type}` }).toContain(type)
  }

  /** The recording of the last call. */
  async heard(): Promise<Int16Array> {
    const names = (await readdir(this.#folder)).filter((name) => /^dump-.*-dec\.wav$/.test(name)).sort()
    const last = names.at(-1)
    if (last === undefined) throw new Error('baresip has recorded nothing.')
    return readWav(join(this.#folder, last))
  }
}
