// `POST /mcp`: the tools over the streamable HTTP transport of the Model Context Protocol. Every answer is plain
// JSON: there are no sessions, and nothing that a stream would be needed for.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import type { ApiDeps } from '../api-deps.ts'
import { Refusal } from '../errors.ts'
import type { JobViews } from '../job-views.ts'
import { isKnownVersion, McpServer, PROTOCOL_VERSIONS } from '../mcp/protocol.ts'
import { createTools } from '../mcp/tools.ts'
import { ApiError } from '../shapes/error.ts'

/** Per minute and address: a call may cost a host several requests. */
const RATE = { max: 120, timeWindow: 60_000 }

const Message = Type.Object(
  {
    jsonrpc: Type.String({ description: '2.0' }),
    id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  },
  { additionalProperties: true },
)

/** Without types, since tools say what is in an answer, not a schema. */
const ANSWERS: Readonly<Record<number, TSchema>> = {
  200: { ...Message, description: 'the answer' },
  202: { type: 'null', description: 'taken; there is no answer to a notification' },
  400: ApiError,
}

export function mcpRoutes(deps: ApiDeps, views: JobViews): FastifyPluginAsyncTypebox {
  const { settings, log } = deps
  let made: McpServer | undefined
  // Made when it is asked for: its schemas are of no use to others.
  const server = (): McpServer => {
    made ??= new McpServer({
      ...{ tools: createTools({ ...deps, views }), version: settings.version, log },
    })
    return made
  }
  return async (app) => {
    app.post('/mcp', {
      config: { rateLimit: RATE },
      // The protocol has errors of its own for messages that are wrong.
      validatorCompiler: () => () => true,
      schema: {
        summary: 'Tools for programs with a language model: the Model Context Protocol',
        description: 'Streamable HTTP without sessions: a JSON-RPC message in, its answer out.',
        tags: ['web'],
        body: Message,
        response: ANSWERS,
      },
      handler: async ({ body, headers }, reply) => {
        const version = headers['mcp-protocol-version']
        if (typeof version === 'string' && !isKnownVersion(version)) {
          const known = PROTOCOL_VERSIONS.join(', ')
          throw new Refusal(400, `MCP-Protocol-Version is not one of ${known}`)
        }
        const answer = await server().answer(body)
        if (answer === null) return reply.status(202).send(null)
        reply.type('application/json; charset=utf-8').serializer(String)
        return reply.send(JSON.stringify(answer))
      },
    })
    app.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: async () => {
        const message = 'there are no streams and no sessions here; send messages with POST'
        throw new Refusal(405, message, { headers: { allow: 'POST' } })
      },
    })
  }
}
