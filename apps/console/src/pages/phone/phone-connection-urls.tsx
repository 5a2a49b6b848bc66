import { Stack, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { CopyField } from '../../parts/copy-field'
import { phoneConnectionKinds } from './phone-connection-kinds'

/** The addresses of the service that are entered at the provider. */
export function PhoneConnectionUrls({ connection }: { readonly connection: PhoneConnection }) {
  const { id, kind } = connection
  const { urls } = phoneConnectionKinds[kind]
  if (urls.length === 0) return null
  const isPublic = location.protocol === 'https:'
  return (
    <Stack gap="sm">
      {urls.map(({ title, path, where }) => (
        <CopiedText key={path} title={title} about={where} value={urlOf(id, path)} />
      ))}
      {kind === 'asterisk' && <AsteriskFiles connection={connection} />}
      {kind !== 'asterisk' && !isPublic && (
        <Text size="xs" fw={600} role="note">
          The provider cannot reach this address. Set PARLEY_PUBLIC_URL to a public https address.
        </Text>
      )}
    </Stack>
  )
}

function urlOf(id: string, path: string): string {
  const origin = path === 'media' ? location.origin.replace(/^http/, 'ws') : location.origin
  return `${origin}/phone/${id}/${path}`
}

interface CopiedTextProps {
  readonly title: string
  readonly about: string
  readonly value: string
}

function CopiedText({ title, about, value }: CopiedTextProps) {
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
      <CopyField value={value} label={`${title.charAt(0).toLowerCase()}${title.slice(1)}`} />
    </Stack>
  )
}

/** The configuration of Asterisk. The password is never returned, so it is entered there. */
function AsteriskFiles({ connection: { id, accountId } }: { readonly connection: PhoneConnection }) {
  const uri = urlOf(id, 'media')
  const client = [
    '[parley]',
    'type = websocket_client',
    'connection_type = per_call_config',
    `uri = ${uri}`,
    'protocols = media',
    `username = ${accountId}`,
    'password = …',
    ...(uri.startsWith('wss:') ? ['tls_enabled = yes'] : []),
  ].join('\n')
  return (
    <>
      <CopiedText title="websocket_client.conf" about="Replace the dots with the password." value={client} />
      <CopiedText
        title="extensions.conf"
        about="A line of the dialplan. If ${EXTEN} is not the number in international format, write the number after “to=”."
        value={`exten => _X.,1,Dial(WebSocket/parley/c(ulaw)nv(id=\${UNIQUEID},from=\${CALLERID(num)},to=\${EXTEN}))`}
      />
    </>
  )
}
