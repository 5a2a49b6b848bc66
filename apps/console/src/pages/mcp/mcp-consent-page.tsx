import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import { decodeRedirectParams } from './redirect-params'

/** The redirect target after authorization at an MCP server's issuer. */
export function McpConsentPage() {
  const { parley } = useConsole()
  const redirectParams = decodeRedirectParams(useSearch({ strict: false }).with)
  const { state = '', code = '', iss = null, error, error_description: why } = redirectParams
  const [id = ''] = state.split('.')
  const completed = useQuery({
    queryKey: ['McpAuthorization', 'consent', state],
    // A code works once, so the request is not repeated.
    queryFn: async () => parley.mcpAuthorizations.completeConsent(id, { state, code, issuer: iss }),
    enabled: error === undefined && code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const refusal = error === undefined ? null : (why ?? error)
  return (
    <PageFrame title="MCP server authorization">
      <Stack maw="40rem">
        {refusal !== null && (
          <Alert color="red" title="Authorization denied">
            {refusal}
          </Alert>
        )}
        {completed.isError && <ErrorNotice error={completed.error} />}
        {completed.isLoading && <Skeleton h={80} />}
        {completed.data !== undefined && (
          <Alert
            color={completed.data.isAuthorized ? 'green' : 'red'}
            title={completed.data.isAuthorized ? 'Authorized' : 'Authorization failed'}
          >
            {completed.data.detail}
          </Alert>
        )}
        <Button component={Link} to="/mcp-servers" variant="default" w="fit-content">
          Back to MCP servers
        </Button>
      </Stack>
    </PageFrame>
  )
}
