import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAfterwards } from '../../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../../apps/server/test/support/services/free-port.js'
import { findProgram } from './start-program.js'

/** A port of the test, or that of SIPp. */
type Port = number | '[media_port]'

const common = `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: <sip:sipp@[local_ip]:[local_port]>;tag=[pid]x[call_number]`

/** The SDP, with a port that the test may have opened. */
const sdp = (port: Port, extra = '') => `v=0
      o=sipp 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [local_ip]
      t=0 0
      m=audio ${port} RTP/AVP 0
      a=rtpmap:0 PCMU/8000${extra}`

/** The steps of a scenario: XML of SIPp. */
export const steps = {
  invite: (port: Port = '[media_port]', headers = '') => `<send retrans="500"><![CDATA[
      INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      ${common}
      To: <sip:[service]@[remote_ip]:[remote_port]>
      Call-ID: [call_id]
      CSeq: 1 INVITE
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70${headers}
      Content-Type: application/sdp
      Content-Length: [len]

      ${sdp(port)}
    ]]></send>
    <recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="183" optional="true"/>
    <recv response="200" rrs="true"/>`,
  request: (method: string, sequence: number, headers = '', body = '') =>
    `<send${method === 'ACK' ? '' : ' retrans="500"'}><![CDATA[
      ${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      ${common}
      [last_To:]
      Call-ID: [call_id]
      CSeq: ${sequence} ${method}
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70${headers}
      Content-Length: [len]

      ${body}
    ]]></send>`,
  receive: (status: number) => `<recv response="${status}"/>`,
  pause: (milliseconds: number) => `<pause milliseconds="${milliseconds}"/>`,
  /** Waits for a BYE, and answers it. */
  bye: `<recv request="BYE"/>
    <send><![CDATA[
      SIP/2.0 200 OK
      [last_Via:]
      [last_From:]
      [last_To:]
      [last_Call-ID:]
      [last_CSeq:]
      Content-Length: 0

    ]]></send>`,
  /** Waits for an INVITE. */
  called: '<recv request="INVITE" rrs="true"/>',
  /** Answers the last request. */
  answer: (
    status: number,
    reason: string,
    audio: Port | null = null,
  ) => `<send${status >= 200 && audio !== null ? ' retrans="500"' : ''}><![CDATA[
      SIP/2.0 ${status} ${reason}
      [last_Via:]
      [last_From:]
      [last_To:];tag=[pid]y[call_number]
      [last_Call-ID:]
      [last_CSeq:]
      Contact: <sip:sipp@[local_ip]:[local_port]>${audio === null ? '' : '\n      Content-Type: application/sdp'}
      Content-Length: [len]

      ${audio === null ? '' : sdp(audio)}
    ]]></send>`,
  ack: '<recv request="ACK"/>',
  cancel: '<recv request="CANCEL"/>',
}

export interface SippOptions {
  readonly scenario: readonly string[]
  /** The port of the line that is called. */
  readonly remotePort: number
  readonly port?: number
  readonly args?: readonly string[]
}

/** Starts SIPp. Resolves with its exit code and errors: 0 if all calls went as the scenario says. */
export async function startSipp(
  options: SippOptions,
): Promise<{ readonly done: Promise<{ code: number; errors: string }> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sipp-'))
  closeAfterwards(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'scenario.xml')
  await writeFile(
    file,
    `<?xml version="1.0"?>\n<scenario name="test">\n${options.scenario.join('\n')}\n</scenario>\n`,
  )
  const { run } = await findProgram('sipp')
  const media = await findFreePort()
  const { command, environment } = run([
    `127.0.0.1:${options.remotePort}`,
    ...['-sf', file, '-i', '127.0.0.1', '-mi', '127.0.0.1', '-s', 'parley', '-nostdin'],
    ...['-p', String(options.port ?? (await findFreePort())), '-mp', String(media - (media % 2))],
    // The whole run is bounded.
    ...['-timeout', '60s', '-timeout_error', '-trace_err', '-error_file', join(folder, 'errors.log')],
    ...(options.args ?? ['-m', '1']),
  ])
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment, TERM: 'dumb' },
    stdio: 'ignore',
  })
  const done = once(child, 'close').then(async ([code]) => {
    const names = await readdir(folder)
    const errors = names.includes('errors.log') ? await readFile(join(folder, 'errors.log'), 'utf8') : ''
    return { code: Number(code), errors: errors.slice(0, 3000) }
  })
  // The folder is removed only after the errors were read.
  closeAfterwards(async () => {
    child.kill('SIGKILL')
    await done
  })
  return { done }
}

export async function runSipp(options: SippOptions): Promise<{ code: number; errors: string }> {
  return (await startSipp(options)).done
}
