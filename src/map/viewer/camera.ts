/** Which part of a map is seen: a point of it in the middle of the screen, and a scale. */
export class Camera {
  readonly map: { readonly width: number; readonly height: number }
  width = 1
  height = 1
  x: number
  y: number
  scale = 1
  #least = 1

  constructor(map: { readonly width: number; readonly height: number }) {
    this.map = map
    this.x = map.width / 2
    this.y = map.height / 2
  }

  /** The screen has another size; what was in the middle stays there. */
  resize(width: number, height: number): void {
    const wasAll = this.scale <= this.#least * 1.001
    this.width = Math.max(1, width)
    this.height = Math.max(1, height)
    this.#least = Math.min(this.width / this.map.width, this.height / this.map.height)
    if (wasAll) this.showAll()
  }

  showAll(): void {
    this.x = this.map.width / 2
    this.y = this.map.height / 2
    this.scale = this.#least
  }

  screenX(x: number): number {
    return (x - this.x) * this.scale + this.width / 2
  }

  screenY(y: number): number {
    return (y - this.y) * this.scale + this.height / 2
  }

  mapX(x: number): number {
    return (x - this.width / 2) / this.scale + this.x
  }

  mapY(y: number): number {
    return (y - this.height / 2) / this.scale + this.y
  }

  /** By so many pixels. */
  move(x: number, y: number): void {
    this.x -= x / this.scale
    this.y -= y / this.scale
    this.#stayNear()
  }

  /** Above 1: nearer; the point at these pixels stays where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const [atX, atY] = [this.mapX(x), this.mapY(y)]
    this.scale = Math.min(this.#least * 80, Math.max(this.#least * 0.5, this.scale * factor))
    this.x = atX - (x - this.width / 2) / this.scale
    this.y = atY - (y - this.height / 2) / this.scale
    this.#stayNear()
  }

  /** Brings a point to the middle, and near enough to see what is around it. */
  goTo(x: number, y: number): void {
    this.x = x
    this.y = y
    this.scale = Math.max(this.scale, this.#least * 2.5)
  }

  /** Nodes grow when one goes nearer, but more slowly than the distances between them. */
  get growth(): number {
    return Math.sqrt(this.scale / this.#least) * Math.min(1, Math.max(0.55, this.#least))
  }

  #stayNear(): void {
    this.x = Math.min(this.map.width, Math.max(0, this.x))
    this.y = Math.min(this.map.height, Math.max(0, this.y))
  }
}
