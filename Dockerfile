# One image for web server, worker and preparation; compose.yaml says which is which.
FROM python:3.13-slim AS packages
RUN python -m venv /opt/venv
COPY requirements.txt requirements-s3.txt requirements-saml.txt ./
RUN /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check \
    --requirement requirements.txt --requirement requirements-s3.txt --requirement requirements-saml.txt

FROM python:3.13-slim
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    MALLOC_ARENA_MAX=2 \
    NUMBA_CACHE_DIR=/data/numba \
    PARAGOLD_VAR=/data
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin paragold \
    && install --directory --mode 0700 --owner paragold --group paragold /data
COPY --from=packages /opt/venv /opt/venv
WORKDIR /srv/paragold
COPY . .
RUN python -m compileall -q alignment annotation config corpus jobs ops paragold projects
USER paragold
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "config.wsgi:application", "--config", "ops/launcher/gunicorn_settings.py", \
     "--worker-tmp-dir", "/dev/shm", "--bind", "0.0.0.0:8000"]
