// Resources that are opened one after the other and closed together, the last one first. It replaces
// AsyncDisposableStack, which Node 22 lacks.

export class ResourceStack implements AsyncDisposable {
  #resources: (AsyncDisposable | Disposable)[] = []

  /** Adds a resource and returns it. Null is ignored. */
  use<T extends AsyncDisposable | Disposable | null>(resource: T): T {
    if (resource !== null) this.#resources.push(resource)
    return resource
  }

  /** Calls this in the order of a resource opened now. */
  defer(close: () => unknown): void {
    this.use({ [Symbol.asyncDispose]: async () => void (await close()) })
  }

  /** Moves the resources into a new stack; this one is then empty. */
  move(): ResourceStack {
    const moved = new ResourceStack()
    moved.#resources = this.#resources
    this.#resources = []
    return moved
  }

  /** Closes all of them, even if one fails; then throws the first error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (let next = this.#resources.pop(); next !== undefined; next = this.#resources.pop()) {
      try {
        await close(next)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}

async function close(resource: AsyncDisposable | Disposable): Promise<void> {
  if (Symbol.asyncDispose in resource) await resource[Symbol.asyncDispose]()
  else resource[Symbol.dispose]()
}
