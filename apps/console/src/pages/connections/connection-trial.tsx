import { Alert, List, Text } from '@mantine/core'
import type { Connection, ConnectionTest } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { Trial } from '../../parts/trial'
import { usesVertex } from './connection-draft'

interface ConnectionTrialProps {
  readonly connection: Connection
  /** The test uses the saved connection. */
  readonly isDirty: boolean
}

/** Calls the provider, and suggests a fix on failure. */
export function ConnectionTrial({ connection, isDirty }: ConnectionTrialProps) {
  const { parley } = useConsole()
  return (
    <Trial
      action="Test connection"
      isDirty={isDirty}
      changes={[]}
      run={() => parley.connections.test(connection.id, { maxRetries: 0 })}
    >
      {(test) => test !== undefined && <TestResult test={test} connection={connection} />}
    </Trial>
  )
}

function TestResult({
  test,
  connection,
}: {
  readonly test: ConnectionTest
  readonly connection: Connection
}) {
  const { ok, detail, missingModels, durationMilliseconds } = test
  const advice = adviceFor(test, connection)
  const color = !ok ? 'red' : missingModels.length > 0 ? 'blue' : 'green'
  return (
    <Alert color={color} title={ok ? 'Connection works' : 'Connection failed'}>
      <Text size="sm">{detail}</Text>
      {advice.length > 0 && (
        <List size="sm" mt="xs">
          {advice.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
      <Text size="xs" c="dimmed" mt="xs" data-figures>
        {durationMilliseconds.toLocaleString()} ms
      </Text>
    </Alert>
  )
}

/** The next step, in the words of this form. */
function adviceFor(
  { ok, providerStatus, missingModels }: ConnectionTest,
  { hasApiKey, kind, baseUrl }: Connection,
): readonly string[] {
  if (ok) return missingModels.length === 0 ? [] : ['Correct the model names above and save.']
  if (kind === 'embedded') return ['Check the text model connection.']
  const own = usesVertex({ kind, baseUrl }) ? vertexAdvice(hasApiKey, providerStatus) : undefined
  if (own !== undefined) return own
  if (!hasApiKey && kind !== 'openai-compatible') return ['Enter an API key above and save.']
  // Google answers 400 to a wrong key.
  const isKeyRejected = providerStatus === 401 || providerStatus === 403
  if (isKeyRejected || (kind === 'google' && providerStatus === 400))
    return [
      'Create a new API key at the provider, enter it above and save.',
      'Check that the API key belongs to this base URL.',
    ]
  if (providerStatus === 404)
    return [
      kind === 'qwen'
        ? 'Check the base URL above. It is the host of your workspace.'
        : 'Check the base URL above. Most end in /v1.',
    ]
  if (providerStatus === 429) return ['Check your remaining credit at the provider.']
  if (providerStatus === null && baseUrl !== null)
    return [
      'The request is sent from the Parley server. There, localhost means the server, not your computer.',
    ]
  return []
}

/** The advice that differs for Vertex AI. */
function vertexAdvice(hasKey: boolean, status: number | null): readonly string[] | undefined {
  if (!hasKey) return ['Paste the JSON key above and save.']
  switch (status) {
    case 400:
    case 401:
      return ['Create a new JSON key for the service account, paste it above and save.']
    case 403:
      return [
        'Grant the service account the role Vertex AI User.',
        'Enable the Vertex AI API of the project.',
      ]
    case 404:
      return ['Check the base URL above. It ends in /projects/{project}/locations/{location}.']
    default:
      return undefined
  }
}
