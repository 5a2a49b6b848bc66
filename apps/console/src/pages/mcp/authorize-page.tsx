import { Alert, Button, Code, Group, List, Select, Skeleton, Stack, Text } from '@mantine/core'
import type { McpAccessRequest } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { SignInFrame } from '../../access/sign-in-frame'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'
import { scopeLabels } from '../organization/scope-labels'
import { decodeRedirectParams } from './redirect-params'

/** The consent page of an MCP client. */
export function AuthorizePage() {
  const { parley, person, signedIn, membership } = useConsole()
  const request = requestOf(decodeRedirectParams(useSearch({ strict: false }).with))
  const [organizationId, setOrganizationId] = useState<string>(membership.id)
  const asked = useQuery({
    queryKey: ['me', 'mcp-request', request],
    queryFn: async () => parley.me.presentMcpRequest(request),
    retry: false,
  })
  const decide = useChange({
    change: async (decision: 'allow' | 'deny') =>
      parley.me.decideMcpRequest({ request, organizationId, decision }),
    changes: ['McpGrant'],
    isErrorShown: true,
    onDone: ({ redirectUrl }) => window.location.assign(redirectUrl),
  })
  if (asked.isError)
    return (
      <SignInFrame title="Authorization failed">
        <ErrorNotice error={asked.error} />
      </SignInFrame>
    )
  if (asked.data === undefined)
    return (
      <SignInFrame title="Loading">
        <Skeleton h={120} />
      </SignInFrame>
    )
  const { clientName, redirectHost, scopes } = asked.data
  const role = signedIn.organizations.find(({ id }) => id === organizationId)
  const covered = scopes.filter((scope) => role?.scopes.includes(scope))
  return (
    <SignInFrame title={`Authorize ${clientName}?`} about={`Signed in as ${person.email}.`}>
      <Stack>
        <Alert color="orange" variant="light" title="Check this request">
          The client chose this name itself. You will be redirected to <Code>{redirectHost}</Code>. Continue
          only if you recognize it.
        </Alert>
        {signedIn.organizations.length > 1 && (
          <Select
            label="Organization"
            data={signedIn.organizations.map(({ id, name }) => ({ value: id, label: name }))}
            value={organizationId}
            onChange={(id) => id !== null && setOrganizationId(id)}
            allowDeselect={false}
          />
        )}
        <div>
          <Text size="sm" fw={600}>
            Requested scopes, limited by your role:
          </Text>
          <List size="sm" mt={4}>
            {covered.map((scope) => (
              <List.Item key={scope}>{scopeLabels[scope]}</List.Item>
            ))}
          </List>
        </div>
        {decide.error !== null && <ErrorNotice error={decide.error} />}
        <Group grow>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
            Deny
          </Button>
          <Button
            loading={decide.isPending}
            disabled={covered.length === 0}
            onClick={() => decide.mutate('allow')}
          >
            Allow
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          You can revoke access at any time in your account settings.
        </Text>
      </Stack>
    </SignInFrame>
  )
}

function requestOf(redirectParams: Readonly<Record<string, string>>): McpAccessRequest {
  const { clientId = '', redirectUri = '', codeChallenge = '' } = redirectParams
  const { scope = null, resource = null, state = null } = redirectParams
  return { clientId, redirectUri, codeChallenge, scope, resource, state }
}
