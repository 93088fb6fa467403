import Tracer

print(TracerVersion.current)
