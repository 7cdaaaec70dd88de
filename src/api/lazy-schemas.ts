// What checks requests and writes answers is compiled from the schemas of the routes. For all of them that takes
// a third of a second, and few are ever used: so each is compiled when it is first called.
import validatorsOf, { type Options } from '@fastify/ajv-compiler'
import serializersOf from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify/types/schema.js'

/** `options`: how requests are checked. */
export function compileWhenUsed(app: FastifyInstance, options: Options): void {
  app.setValidatorCompiler(lazyValidators(options))
  app.setSerializerCompiler(lazySerializers())
}

function lazyValidators(customOptions: Options): FastifySchemaCompiler<unknown> {
  const compile = validatorsOf()({}, { customOptions })
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined
    const validate: ReturnType<FastifySchemaCompiler<unknown>> = (value) => {
      compiled ??= compile(route)
      const isValid = compiled(value) === true
      // Fastify reads what is wrong from the function that it called.
      validate.errors = compiled.errors ?? null
      return isValid
    }
    return validate
  }
}

function lazySerializers(): FastifySerializerCompiler<unknown> {
  const compile = serializersOf()({}, {})
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined
    return (value) => {
      compiled ??= compile({ httpStatus: '', ...route })
      return compiled(value)
    }
  }
}
