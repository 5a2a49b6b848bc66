import { Stack, Text } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { CopyField } from '../../parts/copy-field'
import { Section } from '../../parts/section'
import { TextLink } from '../../parts/text-link'

/** Shows how to use the agent in a website, with the values of this service. */
export function EmbedTab({ agent }: { readonly agent: Agent }) {
  const { may, membership } = useConsole()
  const { origin } = location
  return (
    <Stack maw="62rem">
      <Section title="1. Install the SDK">
        <Text size="sm">In the folder of your backend or app:</Text>
        <CopyField label="install command" value={`npm install ${origin}/sdk/parley-sdk.tgz`} />
      </Section>
      <Section title="2. Set the variables">
        <Text size="sm">
          The API key stays in your backend and needs the scope <code>realtime:create</code>.{' '}
          {may('org:manage') && (
            <TextLink to="/organization/keys" underline="always">
              Create an API key
            </TextLink>
          )}
        </Text>
        <CopyField label="variables" value={variables(origin, membership.id, agent.id)} />
      </Section>
      <Section title="3. Create sessions in your backend">
        <Text size="sm">
          Call this function for POST requests to /session. Pass it the parsed JSON body and send its result
          as JSON.
        </Text>
        <CopyField label="backend code" value={backend} />
      </Section>
      <Section title="4. Add the element to your page">
        <Text size="sm">The button opens a conversation by voice and text.</Text>
        <CopyField label="page code" value={page(origin)} />
      </Section>
    </Stack>
  )
}

const variables = (origin: string, organizationId: string, agentId: string) =>
  `export PARLEY_URL=${origin} \\
  PARLEY_ORG_ID=${organizationId} \\
  PARLEY_AGENT_ID=${agentId} \\
  PARLEY_API_KEY='your API key'`

// Visitors to a public page must not be able to approve tool calls.
const backend = `import { Parley } from '@parley/sdk'

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID } = process.env
const parley = new Parley({ baseUrl: PARLEY_URL, organizationId: PARLEY_ORG_ID, apiKey: PARLEY_API_KEY })

export async function createSession({ conversationId, clientTools }) {
  const options = { conversationId, clientTools, approvedBy: 'staff' }
  const { webSocketPath } = await parley.realtimeSessions.create(PARLEY_AGENT_ID, options)
  return { webSocketPath: new URL(webSocketPath, PARLEY_URL).href }
}`

const page = (origin: string) =>
  `<script type="module" src="${origin}/sdk/v1/parley-agent.js"></script>
<parley-agent ticket-url="/session"></parley-agent>`
