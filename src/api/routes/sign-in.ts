// Signing in with the token, for people with a browser. Programs send the token with every request.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { shownBy } from '../guard.ts'
import { ApiError } from '../shapes/error.ts'
import { SESSION_COOKIE, SESSION_MS, type SignIn } from '../sign-in.ts'

const Session = Type.Object({ token_needed: Type.Boolean(), signed_in: Type.Boolean() })
const Login = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
const COOKIE = { path: '/', httpOnly: true, sameSite: 'strict' } as const

export function signInRoutes(signIn: SignIn): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/session', {
      config: { open: true },
      schema: { summary: 'Is a token needed', tags: ['server'], response: { 200: Session } },
      handler: async (request) => ({
        token_needed: signIn.tokenNeeded,
        signed_in: signIn.isSignedIn(shownBy(request)),
      }),
    })
    app.post('/login', {
      config: { open: true },
      schema: {
        summary: 'Sign in: sets a cookie that stands for the token',
        tags: ['server'],
        body: Login,
        response: { 200: Session, 400: ApiError, 401: ApiError, 429: ApiError },
      },
      handler: async ({ body, ip, headers }, reply) => {
        signIn.check({ token: body.token, cookie: null, address: ip })
        const maxAge = SESSION_MS / 1000
        // Behind a proxy with TLS the cookie must never be sent without it.
        const secure = headers['x-forwarded-proto'] === 'https'
        reply.setCookie(SESSION_COOKIE, signIn.openSession(), { ...COOKIE, maxAge, secure })
        return { token_needed: signIn.tokenNeeded, signed_in: true }
      },
    })
    app.post('/logout', {
      config: { open: true },
      schema: { summary: 'Sign out', tags: ['server'], response: { 200: Session } },
      handler: async (_request, reply) => {
        reply.clearCookie(SESSION_COOKIE, COOKIE)
        return { token_needed: signIn.tokenNeeded, signed_in: !signIn.tokenNeeded }
      },
    })
  }
}
