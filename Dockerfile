FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 DATA_DIR=/data

WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY renders renders
COPY bot bot
RUN pip install ".[postgres]" -c constraints.txt \
    && python -m compileall -q engine renders bot \
    && python -m renders.baking \
    && useradd --system --uid 10001 caravanserai \
    && install -d -o caravanserai /data

USER caravanserai
VOLUME /data

# The bot touches this file while it is connected to Discord; run it with --restart unless-stopped.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, sys, time; sys.exit(time.time() - os.stat('/data/alive').st_mtime > 90)"]

CMD ["python", "-m", "bot"]
