/** A model file beyond this is not what it should be: far more than training makes. */
export const MAX_MODEL_BYTES = 256 * 2 ** 20
