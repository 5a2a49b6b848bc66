import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAfterwards } from '../../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../../apps/server/test/support/services/free-port.js'
import { loopbackCertificate } from './loopback-certificate.js'
import { startProgram } from './start-program.js'

const modules = [
  ...['kex', 'tm', 'tmx', 'sl', 'rr', 'pv', 'maxfwd', 'usrloc', 'registrar', 'textops', 'siputils'],
  ...['nathelper', 'auth'],
]

/** A registrar and proxy that asks for the password `secret`, and stays in the way of each call. */
const routes = `
modparam("registrar", "min_expires", 20)
modparam("registrar", "max_expires", 60)
modparam("registrar|nathelper", "received_avp", "$avp(RECEIVED)")
request_route {
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) { if (loose_route()) { t_relay(); exit; } if (is_method("ACK") && t_check_trans()) t_relay(); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200","OK"); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("$fd", "secret", "0")) { www_challenge("$fd", "1"); exit; }
    force_rport(); fix_nated_register(); save("location"); exit;
  }
  if (!pv_proxy_authenticate("$fd", "secret", "0")) { proxy_challenge("$fd", "1"); exit; }
  consume_credentials(); record_route();
  if (!lookup("location")) { sl_send_reply("404","Not Found"); exit; }
  t_relay();
}
`

/** Starts Kamailio on a free port: of UDP and TCP, or of TLS with the loopback certificate. Returns the port. */
export async function startKamailio(transport: 'plain' | 'tls' = 'plain'): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-kamailio-'))
  closeAfterwards(() => rm(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const file = join(folder, 'kamailio.cfg')
  await startProgram(
    'kamailio',
    async (program) => {
      const lines = [
        '#!KAMAILIO',
        'children=1',
        `mpath="${join(program.folder('kamailio'), 'modules')}/"`,
        ...(transport === 'plain'
          ? [`listen=udp:127.0.0.1:${port}`, `listen=tcp:127.0.0.1:${port}`]
          : await tlsLines(folder, port)),
        ...modules.map((name) => `loadmodule "${name}.so"`),
      ]
      await writeFile(file, `${lines.join('\n')}\n${routes}`)
      return ['-f', file, '-DD', '-E', '-Y', folder, '-m', '64', '-M', '4', '-P', join(folder, 'pid')]
    },
    /Listening on/,
  )
  return port
}

async function tlsLines(folder: string, port: number): Promise<string[]> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  await writeFile(certificate, `${loopbackCertificate.certificate}\n`)
  await writeFile(key, `${loopbackCertificate.key}\n`)
  return [
    'enable_tls=yes',
    `listen=tls:127.0.0.1:${port}`,
    'loadmodule "tls.so"',
    'modparam("tls", "tls_method", "TLSv1.2+")',
    `modparam("tls", "certificate", "${certificate}")`,
    `modparam("tls", "private_key", "${key}")`,
  ]
}
